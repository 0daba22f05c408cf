//! The masks that Keras carries beside the values of a program, so that code need not hand them over.

use layers::layer::{Layer, Mask};
use program::ir::{Invocation, ValueId};
use program::network::{is_set, masked_outputs, told_mask};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::operator::Arity;

/// What was called so far, by the masks that it left.
#[derive(Default)]
pub struct Carried {
    by_value: FxHashMap<ValueId, ValueId>,
    /// The mask that the next call of this layer makes.
    made: Option<(String, ValueId)>,
    /// All that were made. No code names them.
    own: FxHashSet<ValueId>,
}

impl Carried {
    /// A layer makes a mask when it is called next.
    pub fn make(&mut self, layer: &str, mask: ValueId) {
        self.made = Some((layer.to_string(), mask));
        self.own.insert(mask);
    }

    pub fn is_own(&self, mask: ValueId) -> bool {
        self.own.contains(&mask)
    }

    /// Whether the masks that a call gets there are those that Keras brings along with its tensors.
    pub fn brings(&self, invocation: &Invocation, place: usize) -> bool {
        let (operator, given) = (invocation.operator, &invocation.tensors[place]);
        let input = &operator.inputs[place];
        let of = match input.name.strip_suffix("_mask") {
            Some(of) => operator.inputs.iter().position(|other| other.name == of),
            None => Some(0),
        };
        let tensors = of.map_or(&[][..], |of| &invocation.tensors[of]);
        let mut carried = tensors.iter().map(|tensor| self.by_value.get(tensor));
        if input.arity != Arity::Any {
            return given.first() == carried.next().flatten();
        }
        let carried: Vec<Option<&ValueId>> = carried.collect();
        match carried.iter().any(Option::is_some) {
            true => {
                let alike = |(given, carried): (&ValueId, &Option<&ValueId>)| match carried {
                    Some(mask) => given == *mask,
                    None => !self.is_own(*given),
                };
                given.len() == carried.len() && given.iter().zip(&carried).all(alike)
            }
            false => given.is_empty(),
        }
    }

    /// A layer is called: what becomes of the masks.
    pub fn call(&mut self, name: &str, layer: &Layer, invocation: &Invocation, outputs: &[Option<ValueId>]) {
        let carried = || invocation.tensors[0].first().and_then(|tensor| self.by_value.get(tensor)).copied();
        let first = || told_mask(layer, &invocation.tensors).or_else(carried);
        let made = self.made.take_if(|(layer, _)| layer == name).map(|(_, mask)| mask);
        let mask = match layer.mask {
            Mask::Drops => None,
            Mask::Passes => first(),
            Mask::PassesIf(flag) | Mask::PassesToBothIf(flag, _) => {
                first().filter(|_| is_set(invocation.operator, &invocation.arguments, flag))
            }
            Mask::Made(..) => made,
        };
        let Some(mask) = mask else { return };
        for output in outputs.iter().take(masked_outputs(layer, invocation)).flatten() {
            self.by_value.insert(*output, mask);
        }
    }
}
