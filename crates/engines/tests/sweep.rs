//! A search space over a convolution, counted from its requirements and by plain loops.

use engines::sweep::{Bare, Cause, Diagram, Domain, Ending, Limits, Outcome, Reading, Verdict};
use semantics::call::{Argument, Call};
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use semantics::{arena, operators};

#[test]
fn convolution_agrees_with_plain_loops() {
    let (kernels, strides, paddings, dilations, channels) = (0..=5, 0..=3, -1..=2, 0..=3, 2..=4);
    arena::scope(|| {
        let symbol = |name: &str| Dim::symbol(name, -10, 100);
        let (kernel, stride, padding, dilation) =
            (symbol("kernel"), symbol("stride"), symbol("padding"), symbol("dilation"));
        let width = symbol("channels");
        let conv = operators::by_name("conv").expect("an operator");
        let domain = |name: &str, values: std::ops::RangeInclusive<i64>| Domain {
            name: name.into(),
            values: values.collect(),
        };
        let domains = [
            domain("kernel", kernels.clone()),
            domain("stride", strides.clone()),
            domain("padding", paddings.clone()),
            domain("dilation", dilations.clone()),
            domain("channels", channels.clone()),
        ];
        let mut reading = Reading::new(&domains);
        let mut layer = |number: usize, input: Tensor, channels: Dim, filters: i64| {
            let mut call = Call::new(conv);
            let weight = Shape::new([filters.into(), channels, kernel, kernel]);
            call.tensors[0].push(input);
            call.tensors[1].push(Tensor::given("weight", Kind::F32, weight));
            for (name, value) in
                [("stride", vec![stride; 2]), ("padding", vec![padding; 4]), ("dilation", vec![dilation; 2])]
            {
                let position = conv.parameters.iter().position(|parameter| parameter.name == name);
                call.arguments[position.expect("a parameter")] = Some(Argument::Ints(value));
            }
            let outputs = call.run(conv.define).expect("outputs");
            for requirement in call.requirements.iter().filter(|requirement| requirement.category.binds()) {
                let cause = Cause {
                    operator: number.to_string(),
                    label: requirement.label.into(),
                    category: requirement.category.name().into(),
                    place: String::new(),
                    condition: String::new(),
                };
                reading.require(requirement.prop, cause);
            }
            outputs[0]
        };
        let image = Tensor::given("image", Kind::F32, Shape::new([1, 3, 9, 9].map(Dim::from)));
        let first = layer(0, image, width, 4);
        layer(1, first, 4.into(), 4);
        let courses = [reading.end(Ending::Valid)];
        assert!(!courses[0].is_open() && courses[0].supposed().next().is_none());
        let diagram = Diagram::of(&courses, &domains, Limits::default());
        let bare = Bare::of(&courses, domains.len());
        let counts = diagram.counts(&domains);

        // What PyTorch's own formula says, one vector after another.
        let mut expected: Vec<((usize, &str), u128)> = Vec::new();
        let (mut valid, mut invalid) = (0u128, 0u128);
        for kernel in kernels {
            for stride in strides.clone() {
                for padding in paddings.clone() {
                    for dilation in dilations.clone() {
                        for channels in channels.clone() {
                            let vector = [kernel, stride, padding, dilation, channels];
                            let fault = first_fault(kernel, stride, padding, dilation, channels);
                            let outcome = bare.outcome(&courses, &vector);
                            assert_eq!(outcome == Outcome::Valid, fault.is_none(), "{vector:?}");
                            match fault {
                                None => valid += 1,
                                Some(fault) => {
                                    invalid += 1;
                                    match expected.iter_mut().find(|(other, _)| *other == fault) {
                                        Some((_, count)) => *count += 1,
                                        None => expected.push((fault, 1)),
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        assert_eq!((counts.valid(), counts.invalid(), counts.unknown()), (valid, invalid, 0));
        let mut broken: Vec<((usize, &str), u128)> = Vec::new();
        for (outcome, count, example) in &counts.all {
            assert_eq!(diagram.outcome(example), *outcome);
            let vector: Vec<i64> =
                example.iter().zip(&domains).map(|(&place, domain)| domain.values[place]).collect();
            assert_eq!(bare.outcome(&courses, &vector), *outcome);
            if let Verdict::Invalid(cause) = outcome.verdict(&courses) {
                broken.push(((cause.operator.parse().expect("a layer"), &*cause.label), *count));
            }
        }
        broken.sort_unstable();
        expected.sort_unstable();
        assert_eq!(broken, expected);
        assert!(broken.len() >= 6, "{broken:?}");
    });
}

fn first_fault(
    kernel: i64,
    stride: i64,
    padding: i64,
    dilation: i64,
    channels: i64,
) -> Option<(usize, &'static str)> {
    let mut size = 9;
    for layer in 0..2 {
        let fault = |label| Some((layer, label));
        if layer == 0 && channels != 3 {
            return fault("`input` has `groups` times as many channels as a filter of `weight`");
        }
        if stride < 1 {
            return fault("`stride` is positive");
        }
        if dilation < 1 {
            return fault("`dilation` is positive");
        }
        if padding < 0 {
            return fault("`padding` is not negative");
        }
        if kernel < 1 {
            return fault("the kernel is not empty");
        }
        let left = size + 2 * padding - (dilation * (kernel - 1) + 1);
        if left < 0 {
            return fault("the kernel fits the padded input");
        }
        size = left.div_euclid(stride) + 1;
    }
    None
}

/// Numbers that each have a scale of their own: no two choices leave the same sum behind.
#[test]
fn what_is_out_of_reach_has_bounds() {
    let domains: Vec<Domain> = (0..5)
        .map(|place| Domain {
            name: format!("w{place}"),
            values: (1..=6).map(|each| each * 6i64.pow(place)).collect(),
        })
        .collect();
    arena::scope(|| {
        let numbers: Vec<Dim> = domains
            .iter()
            .map(|domain| Dim::symbol(&domain.name, domain.values[0], domain.values[5]))
            .collect();
        let cause = |label: &str| Cause {
            operator: "linear".into(),
            label: label.into(),
            category: String::new(),
            place: String::new(),
            condition: String::new(),
        };
        let sum = numbers.iter().fold(Dim::from(0), |sum, number| sum + *number);
        let mut reading = Reading::new(&domains);
        reading.require(numbers[0].le(3), cause("the first is small"));
        reading.require(sum.eq(4321), cause("the widths add up"));
        let courses = [reading.end(Ending::Valid)];
        let exact = Diagram::of(&courses, &domains, Limits::default()).counts(&domains);
        assert!(exact.valid() <= 1 && exact.unknown() == 0);
        assert_eq!(exact.valid() + exact.invalid(), 7776);
        let few = Limits { work: 20_000, edges: 20_000, numbers: 2_000 };
        let diagram = Diagram::of(&courses, &domains, few);
        let bounds = diagram.counts(&domains);
        // The first requirement is counted, the second is out of reach.
        assert!(diagram.is_partial());
        assert_eq!((bounds.invalid(), bounds.unknown()), (3888, 3888));
        assert!(bounds.valid() <= exact.valid() && exact.valid() <= bounds.valid() + bounds.unknown());
        // Single vectors are judged all the same.
        let bare = Bare::of(&courses, domains.len());
        let places = [0, 0, 0, 0, 0];
        assert_eq!(diagram.outcome(&places), Outcome::Unsettled);
        let vector: Vec<i64> = domains.iter().map(|domain| domain.values[0]).collect();
        assert!(matches!(bare.outcome(&courses, &vector), Outcome::Invalid { step: 1, .. }));
        // Who does not want to wait gets what there is.
        let stopped = Diagram::of_watched(&courses, &domains, Limits::default(), &mut |_| false);
        let bounds = stopped.counts(&domains);
        assert!(bounds.valid() <= exact.valid() && exact.valid() <= bounds.valid() + bounds.unknown());
        assert_eq!(bounds.valid() + bounds.invalid() + bounds.unknown(), 7776);
    });
}
