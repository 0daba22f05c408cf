//! Programs of layers as Keras code.

use models::keras::script;
use program::ir::{Given, Size, ValueId};
use program::network::{Network, Wired};
use semantics::array::Array;
use semantics::dtype::Kind;

fn layer(network: &mut Network, class: &str, name: &str, wired: Wired) -> ValueId {
    network.layer(layers::layers::by_name(class).expect("a layer"), name, Wired { wanted: 1, ..wired })[0]
}

#[test]
fn a_program_reads_like_keras() {
    let mut network = Network::default();
    let x = network.input("x", Kind::F64, vec![Size::Known(1), Size::Known(2)]);
    let kernel = network.constant("kernel", Array::floats(Kind::F64, &[2, 2], vec![1.0, 0.5, -1.0, 0.0]));
    let dense = |on: ValueId| Wired {
        tensors: vec![("inputs", vec![on]), ("kernel", vec![kernel])],
        arguments: vec![
            ("units", Given::Int(2)),
            ("use_bias", Given::Int(0)),
            ("activation", Given::Text("relu".into())),
        ],
        ..Wired::default()
    };
    let first = layer(&mut network, "Dense", "a", dense(x));
    let second = layer(&mut network, "Dense", "a", dense(first));
    let sum = layer(
        &mut network,
        "Add",
        "b",
        Wired { tensors: vec![("inputs", vec![first, second])], ..Wired::default() },
    );
    let program = network.finish("test", vec![sum]);
    let script = script(&program, &|_| Some(Kind::F64)).expect("a script");
    let text = script.render(usize::MAX, &|_| Some(Array::floats(Kind::F64, &[1, 2], vec![1.0, 2.0])));
    for line in [
        "dense = keras.layers.Dense(units=2, activation=\"relu\", use_bias=False, dtype=\"float64\")",
        "add = keras.layers.Add(dtype=\"float64\")",
        "    y1 = dense(x)",
        "    y2 = dense(y1)",
        "    y3 = add([y1, y2])",
        "x = np.array([[1.0, 2.0]], \"float64\")",
        "dense.set_weights([np.array([[1.0, 0.5], [-1.0, 0.0]], \"float64\")])",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}\nis not in\n{text}");
    }
}

#[test]
fn pairs_of_numbers_are_nested_and_masks_are_left_to_keras() {
    let mut network = Network::default();
    let x = network.input("x", Kind::F32, [1, 3, 3, 1].map(Size::Known).to_vec());
    let padded = Wired {
        tensors: vec![("inputs", vec![x])],
        arguments: vec![("padding", Given::Ints(vec![1, 2, 3, 4]))],
        ..Wired::default()
    };
    let y = layer(&mut network, "ZeroPadding2D", "pad", padded);
    let program = network.finish("test", vec![y]);
    let script = script(&program, &|_| Some(Kind::F32)).expect("a script");
    assert_eq!(script.layers[0].expression, "keras.layers.ZeroPadding2D(padding=((1, 2), (3, 4)))");
}
