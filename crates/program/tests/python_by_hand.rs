//! What a reader of Python would do with this program, written out by hand:
//!
//! ```python
//! import sys
//! import torch
//! from torch import nn
//!
//! class Net(nn.Module):
//!     def __init__(self):
//!         super().__init__()
//!         self.conv = nn.Conv2d(3, 16, kernel_size=5)
//!         self.shrink = nn.Conv2d(3, 16, kernel_size=3, padding=1)
//!         self.head = nn.Linear(16, 10)
//!
//!     def forward(self, image):                      # f32[N, 3, H, H]
//!         if image.shape[2] >= 5:                    # H is not known
//!             try:
//!                 features = self.conv(image)        # fine on this path
//!             except RuntimeError:
//!                 features = None
//!         else:
//!             try:
//!                 features = self.conv(image)        # the kernel does not fit: raises
//!             except RuntimeError:
//!                 features = self.shrink(image)      # fine
//!         pooled = features.mean(dim=(2, 3))
//!         return self.head(pooled)
//!
//! net = Net()
//! print(net(torch.rand(8, 3, int(sys.argv[1]), int(sys.argv[1]))).shape)
//! unknown = torch.load("features.pt")                # not even its rank is known
//! maps = net.conv(unknown)                           # must have four axes
//! scores = unknown @ torch.rand(7, 7)                # fine with four axes as well
//! torch.addmm(torch.rand(5), unknown, torch.rand(7, 5))   # needs two: it cannot have both
//! ```

use program::ir::Place;
use program::path::{Answer, Path, merge};
use semantics::call::{Argument, Call};
use semantics::dim::{Dim, LARGEST_SIZE};
use semantics::dtype::Kind;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use semantics::{arena, operators};
use solver::{Limits, Verdict};
use std::rc::Rc;

fn tensor(name: &str, sizes: &[i64]) -> Tensor {
    Tensor::given(name, Kind::F32, Shape::new(sizes.iter().map(|&size| Dim::from(size))))
}

/// A call as the interpreter makes it, at a line of the program.
fn call(
    path: &mut Path,
    line: u32,
    operator: &str,
    tensors: &[Tensor],
    arguments: &[(&str, Argument)],
) -> Answer {
    let operator = operators::by_name(operator).expect("an operator");
    let mut call = Call::new(operator);
    for (slot, &tensor) in call.tensors.iter_mut().zip(tensors) {
        slot.push(tensor);
    }
    for (name, argument) in arguments {
        let position = operator.parameters.iter().position(|parameter| parameter.name == *name);
        call.arguments[position.expect("a parameter")] = Some(argument.clone());
    }
    let place = Rc::new(Place::new(format!("line {line}"), operator.name));
    path.call(call, operator.define, &place)
}

fn done(answer: Answer) -> Tensor {
    match answer {
        Answer::Done(outputs) => outputs[0],
        Answer::Violated(requirement) => panic!("{} does not hold", requirement.label),
    }
}

#[test]
fn both_branches_meet_again() {
    arena::scope(|| {
        let height = Dim::symbol("H", 1, LARGEST_SIZE);
        let image = Tensor::given("image", Kind::F32, Shape::new([8.into(), 3.into(), height, height]));
        let conv = tensor("conv.weight", &[16, 3, 5, 5]);
        let shrink = tensor("shrink.weight", &[16, 3, 3, 3]);
        let mut path = Path::new(Limits::default());

        // if image.shape[2] >= 5: nothing is known of H, so both branches are followed.
        let condition = height.ge(5);
        let (then, otherwise) = path.split(condition);
        let (mut then, mut otherwise) = (then.expect("reachable"), otherwise.expect("reachable"));

        let features = done(call(&mut then, 15, "conv", &[image, conv], &[]));
        assert!(then.record.iter().all(|entry| entry.is_verified()), "the kernel fits where H >= 5");

        // try: … except RuntimeError: the answer of the call says that Python raises here.
        let Answer::Violated(requirement) = call(&mut otherwise, 20, "conv", &[image, conv], &[]) else {
            panic!("the kernel cannot fit where H < 5");
        };
        assert_eq!(requirement.label, "the kernel fits the padded input");
        let padding = Argument::Ints(vec![1.into(); 4]);
        let shrunk = done(call(&mut otherwise, 22, "conv", &[image, shrink], &[("padding", padding)]));

        // Both branches go on as one path.
        path.join(condition, then, otherwise);
        let features = merge(condition, features, shrunk);
        assert_eq!(features.shape().known_rank(), Some(4));
        let axes = Argument::Ints(vec![2.into(), 3.into()]);
        let keep = Argument::Flag(false.into());
        let pooled =
            done(call(&mut path, 23, "reduce_mean", &[features], &[("axes", axes), ("keepdims", keep)]));
        let head = tensor("head.weight", &[10, 16]);
        let transposed = [("transpose_b", Argument::Flag(true.into()))];
        let output = done(call(&mut path, 24, "gemm", &[pooled, head], &transposed));
        assert_eq!(output.to_string(), "f32[8, 10]");

        // On the record are the calls that folding did not settle; only the caught one failed.
        let lines: Vec<&str> = path.record.iter().map(|entry| entry.place.node.as_str()).collect();
        assert_eq!(lines, ["line 15", "line 20"]);
        let failed: Vec<bool> = path.record.iter().map(|entry| entry.is_violated()).collect();
        assert_eq!(failed, [false, true]);
        assert_eq!(path.plain.calls, 3);
        assert!(path.assumed.is_empty(), "nothing had to be taken for granted");
    });
}

#[test]
fn what_a_branch_took_for_granted_holds_on_its_side_only() {
    arena::scope(|| {
        let (height, channels) = (Dim::symbol("H", 1, 100), Dim::symbol("C", 1, 100));
        let image = Tensor::given("image", Kind::F32, Shape::new([1.into(), channels, height, height]));
        let conv = tensor("conv.weight", &[16, 3, 5, 5]);
        let mut path = Path::new(Limits::default());
        let condition = height.ge(5);
        let (then, otherwise) = path.split(condition);
        let (mut then, otherwise) = (then.expect("reachable"), otherwise.expect("reachable"));
        done(call(&mut then, 1, "conv", &[image, conv], &[]));
        assert_eq!(then.context.decide(channels.eq(3)), Verdict::Holds);
        path.join(condition, then, otherwise);
        assert!(matches!(path.context.decide(channels.eq(3)), Verdict::Depends { .. }));
        assert_eq!(path.context.decide(height.lt(5) | channels.eq(3)), Verdict::Holds);
        // A requirement that only some inputs break leads into the `except` of a `try`.
        let raised = path.along(!channels.eq(3)).expect("reachable");
        assert_eq!(raised.context.clone().decide(height.lt(5)), Verdict::Holds);
    });
}

#[test]
fn two_demands_on_an_unknown_rank_clash() {
    arena::scope(|| {
        let unknown = Tensor::given("unknown", Kind::F32, Shape::unknown("unknown"));
        let mut path = Path::new(Limits::default());
        let maps = done(call(&mut path, 29, "conv", &[unknown, tensor("conv.weight", &[16, 3, 5, 5])], &[]));
        assert_eq!(maps.shape().known_rank(), Some(4));
        let scores = done(call(&mut path, 30, "matmul", &[unknown, tensor("right", &[7, 7])], &[]));
        assert_eq!(scores.shape().known_rank(), Some(4), "{scores}");

        let inputs = [unknown, tensor("right", &[7, 5]), tensor("bias", &[5])];
        let Answer::Violated(requirement) = call(&mut path, 31, "gemm", &inputs, &[]) else {
            panic!("a tensor cannot have four axes and two");
        };
        assert!(requirement.label.contains("matrix"), "{}", requirement.label);
        // The clash is with what the convolution asked for, two calls before.
        let entry = path.record.last().expect("a call");
        let judged = entry.open.iter().find(|judged| matches!(judged.verdict, Verdict::Fails));
        let refined = entry.inputs[0].1.shape();
        assert_eq!(refined.known_rank(), Some(4));
        let core: Vec<&str> =
            judged.iter().flat_map(|judged| &judged.core).map(|a| a.place.node.as_str()).collect();
        assert!(core.is_empty() || core == ["line 29"], "{core:?}");
    });
}
