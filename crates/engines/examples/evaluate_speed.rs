//! How fast formulas evaluate: `cargo run --release -p engines --example evaluate_speed`.

use engines::evaluate::{Evaluator, Mode};
use semantics::array::Array;
use semantics::compose::{cast, map, matmul, reduce, reshape, transpose, zip};
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::element::Element;
use semantics::scalar::Fold;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use semantics::{arena, kernel};
use std::time::Instant;

fn shape(sizes: &[usize]) -> Shape {
    Shape::new(sizes.iter().map(|&size| Dim::from(size)))
}

fn input(name: &str, sizes: &[usize]) -> (Tensor, Array) {
    let length = sizes.iter().product::<usize>();
    let values = (0..length).map(|at| f64::from(((at * 7919) % 2001) as f32 / 1000.0 - 1.0)).collect();
    (Tensor::given(name, Kind::F32, shape(sizes)), Array::floats(Kind::F32, sizes, values))
}

/// Evaluates several times on fresh evaluators and prints the best time.
fn measure(name: &str, operations: f64, repeat: usize, given: &[(Tensor, Array)], output: Tensor) {
    print!("{name:34}");
    for mode in [Mode::Plain, Mode::Bounded, Mode::Likely] {
        let mut best = f64::INFINITY;
        for _ in 0..repeat {
            let mut evaluator = Evaluator::new(mode);
            for (tensor, array) in given {
                evaluator.give(*tensor, array.clone());
                evaluator.evaluate(*tensor).expect("given");
            }
            let start = Instant::now();
            evaluator.evaluate(output).expect("evaluates");
            best = best.min(start.elapsed().as_secs_f64());
        }
        print!("{:>10.2} ms {:>8.0} M/s", best * 1e3, operations / best / 1e6);
    }
    println!();
}

fn main() {
    arena::scope(|| {
        println!("{:34}{:>22}{:>22}{:>22}", "", "plain", "bounded", "likely");
        let n = 1 << 22;
        let (x, y) = (input("x", &[n]), input("y", &[n]));
        let (a, b) = (x.0, y.0);
        let add = zip(a, b, Kind::F32, shape(&[n]), |x, y| x + y);
        measure("x + y, 4M contiguous", n as f64, 3, &[x.clone(), y.clone()], add);
        let chain = zip(a, b, Kind::F32, shape(&[n]), |x, y| ((x + y) * x - y).max(0.0) * 0.5);
        measure("relu((x+y)*x-y)*0.5 (5 ops)", 5.0 * n as f64, 3, &[x.clone(), y.clone()], chain);
        let exp = map(a, Kind::F32, |x| x.exp());
        measure("exp(x)", n as f64, 3, std::slice::from_ref(&x), exp);
        let round = cast(a, Kind::F16);
        measure("cast to f16", n as f64, 3, std::slice::from_ref(&x), round);

        let image = input("image", &[1, 64, 56, 56]);
        let bias = input("bias", &[1, 64, 1, 1]);
        let sizes = image.0.shape();
        let biased = zip(image.0, bias.0, Kind::F32, sizes, |x, y| x + y);
        measure("add bias [1,64,56,56]", 200_704.0, 5, &[image.clone(), bias.clone()], biased);
        let small = input("small", &[64, 512, 7, 7]);
        let bias = input("bias", &[1, 512, 1, 1]);
        let biased = zip(small.0, bias.0, Kind::F32, small.0.shape(), |x, y| x + y);
        measure("add bias [64,512,7,7]", 1_605_632.0, 3, &[small.clone(), bias], biased);

        let matrix = input("matrix", &[2000, 2000]);
        let m = matrix.0;
        let given = std::slice::from_ref(&matrix);
        measure("transpose [2000,2000]", 4e6, 3, given, transpose(m, &[1, 0]));
        measure("reshape [2000,2000]->[1600,2500]", 4e6, 3, given, reshape(m, shape(&[1600, 2500])));
        measure("sum over rows", 4e6, 3, given, reduce(Fold::Sum, m, &[1], false));
        measure("sum over columns", 4e6, 3, given, reduce(Fold::Sum, m, &[0], false));
        measure("sum of all", 4e6, 3, given, reduce(Fold::Sum, m, &[0, 1], false));
        measure("max over rows", 4e6, 3, given, reduce(Fold::Max, m, &[1], false));
        let softmax = semantics::operators::by_name("softmax").expect("softmax");
        let mut call = semantics::call::Call::new(softmax);
        call.tensors[0].push(m);
        let soft = call.run(softmax.define).expect("softmax")[0];
        measure("softmax [2000,2000]", 4e6, 3, given, soft);
        let padded = Tensor::from_elements(Kind::F32, shape(&[2002, 2002]), move |i| {
            m.padded_at(&[i[0] - 1, i[1] - 1])
        });
        measure("pad [2000,2000] by 1", 4e6, 3, given, padded);
        let narrow = input("narrow", &[1_000_000, 3]);
        let flipped = transpose(narrow.0, &[1, 0]);
        measure("transpose [1000000,3]", 3e6, 3, std::slice::from_ref(&narrow), flipped);
        let wide = input("wide", &[3, 1_000_000]);
        let back = transpose(wide.0, &[1, 0]);
        measure("transpose [3,1000000]", 3e6, 3, std::slice::from_ref(&wide), back);

        let (p, q) = (input("p", &[512, 512]), input("q", &[512, 512]));
        let product = matmul(p.0, q.0, Shape::scalar());
        measure("matmul 512 (kernel), MAC", 512f64.powi(3), 3, &[p.clone(), q.clone()], product);
        let (pt, qt) = (p.0, q.0);
        let slow = Tensor::from_elements(Kind::F32, shape(&[512, 512]), move |i| {
            Element::fold(Fold::Sum, 512i64.into(), |k| pt.at(&[i[0], k]) * qt.at(&[k, i[1]]))
        });
        measure("matmul 512 (formula), MAC", 512f64.powi(3), 1, &[p, q], slow);
        convolution();
        tiny();
    });
}

fn convolution() {
    for (channels, filters, size, width, stride) in
        [(64, 64, 56, 3, 1), (3, 64, 224, 7, 2), (512, 512, 7, 3, 1), (256, 64, 56, 1, 1)]
    {
        let geometry = kernel::ConvGeometry {
            batch: 1,
            groups: 1,
            channels,
            filters,
            input: vec![size, size],
            window: vec![width, width],
            strides: vec![stride, stride],
            dilations: vec![1, 1],
            before: vec![width / 2, width / 2],
            output: vec![size / stride, size / stride],
        };
        let x = vec![0.5; channels * size * size];
        let w = vec![0.25; filters * channels * width * width];
        let run = kernel::conv(geometry);
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let start = Instant::now();
            std::hint::black_box(run(&x, &w));
            best = best.min(start.elapsed().as_secs_f64());
        }
        let macs = (filters * channels * width * width * (size / stride) * (size / stride)) as f64;
        println!(
            "conv {channels}->{filters} {size}x{size} {width}x{width}/{stride}: {:.2} ms, {:.2} GFLOP/s",
            best * 1e3,
            2.0 * macs / best / 1e9
        );
    }
}

/// Many small tensors, as shape arithmetic and unit tests have them.
fn tiny() {
    for (name, sizes) in [("scalar", vec![]), ("[4]", vec![4]), ("[2,8]", vec![2, 8])] {
        for mode in [Mode::Plain, Mode::Bounded] {
            let count = 2000;
            let mut build = 0.0;
            let mut run = 0.0;
            for _ in 0..5 {
                arena::scope(|| {
                    let (x, array) = input("x", &sizes);
                    let mut evaluator = Evaluator::new(mode);
                    evaluator.give(x, array);
                    evaluator.evaluate(x).expect("given");
                    let start = Instant::now();
                    let tensors: Vec<Tensor> =
                        (0..count).map(|_| zip(x, x, Kind::F32, shape(&sizes), |x, y| x * y + 1.0)).collect();
                    for &tensor in &tensors {
                        tensor.formula();
                    }
                    build = start.elapsed().as_secs_f64();
                    let start = Instant::now();
                    for &tensor in &tensors {
                        evaluator.evaluate(tensor).expect("evaluates");
                    }
                    run = start.elapsed().as_secs_f64();
                });
            }
            println!(
                "x * x + 1, {name:7} {mode:?}: {:.2} us to build, {:.2} us to evaluate",
                build / f64::from(count) * 1e6,
                run / f64::from(count) * 1e6
            );
        }
    }
}
