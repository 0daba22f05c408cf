//! Lists of tensors: the arrays of `map_fn`, `scan` and recurrent layers.
//!
//! A list that was made of a tensor is that tensor, and its elements are gathered from it. A list that is empty before a
//! loop and gets one element in every round is what the loop collects. Others are not followed.

use super::super::body::Source;
use super::{Environment, Lowering, call_of};
use program::ir::{self, Action, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub(super) struct Lists {
    /// Lists without elements.
    empty: FxHashSet<ValueId>,
    /// Lists that are tensors.
    whole: FxHashSet<ValueId>,
    /// Lists with one more element than another: that, and the element.
    written: FxHashMap<ValueId, (ValueId, ValueId)>,
}

impl Lists {
    /// A loop hands lists on as they are.
    pub(super) fn hand_on(&mut self, from: &[ValueId], to: &[ValueId]) {
        for (from, to) in from.iter().zip(to) {
            if self.empty.contains(from) {
                self.empty.insert(*to);
            }
            if self.whole.contains(from) {
                self.whole.insert(*to);
            }
        }
    }
    /// For each thing that a loop carries: the element that a list gets in every round, if it is an empty list.
    pub(super) fn collected(
        &self,
        carried: &[ValueId],
        held: &[ValueId],
        handed: &[ValueId],
    ) -> Vec<Option<ValueId>> {
        let each = carried.iter().zip(held).zip(handed);
        each.map(|((carried, held), handed)| match self.written.get(handed) {
            Some((list, element)) if list == held && self.empty.contains(carried) => Some(*element),
            _ => None,
        })
        .collect()
    }
    pub(super) fn is_collected(&mut self, value: ValueId) {
        self.whole.insert(value);
    }
}

impl<'g> Lowering<'g> {
    /// Writes a node that handles a list, if it is followed; whether it is.
    pub(super) fn listed(
        &mut self,
        environment: &mut Environment<'g>,
        node: u32,
        into: &mut Vec<ir::Node>,
    ) -> bool {
        let op = environment.node(node).op.as_str();
        let at = |lowering: &mut Self, environment: &mut Environment<'g>, place: usize| {
            let source = environment.inputs(node).get(place).copied()?;
            Some(lowering.taken(environment, source))
        };
        match op {
            "TensorArrayV2" | "TensorArrayV3" => {
                self.output(environment, node, 0);
                let flow = self.output(environment, node, 1);
                self.lists.empty.insert(flow);
            }
            "TensorListReserve" | "EmptyTensorList" => {
                let list = self.output(environment, node, 0);
                self.lists.empty.insert(list);
            }
            "TensorListFromTensor" => {
                self.pass_on(environment, node, 1);
                if let Some(list) = environment.find(node, 0) {
                    self.lists.whole.insert(list);
                }
            }
            // Elements are put at indices; unstacking puts all of them in order.
            "TensorArrayScatterV2" | "TensorArrayScatterV3" => {
                let in_order = match environment.inputs(node).get(1) {
                    Some(Source::Node { node, .. }) => environment.node(*node).op == "Range",
                    _ => false,
                };
                let (Some(tensor), Some(flow)) = (at(self, environment, 2), at(self, environment, 3)) else {
                    return false;
                };
                if !in_order || !self.lists.empty.contains(&flow) {
                    return false;
                }
                environment.bind(node, 0, tensor);
                self.lists.whole.insert(tensor);
            }
            "TensorArrayReadV2" | "TensorArrayReadV3" | "TensorArrayGatherV2" | "TensorArrayGatherV3" => {
                let (Some(index), Some(flow)) = (at(self, environment, 1), at(self, environment, 2)) else {
                    return false;
                };
                return self.gathered(environment, node, flow, index, into);
            }
            "TensorListGetItem" | "TensorListGather" => {
                let (Some(list), Some(index)) = (at(self, environment, 0), at(self, environment, 1)) else {
                    return false;
                };
                return self.gathered(environment, node, list, index, into);
            }
            "TensorListStack" => match at(self, environment, 0) {
                Some(list) if self.lists.whole.contains(&list) => self.pass_on(environment, node, 1),
                _ => return false,
            },
            "TensorArrayWriteV2" | "TensorArrayWriteV3" => {
                let (Some(element), Some(flow)) = (at(self, environment, 2), at(self, environment, 3)) else {
                    return false;
                };
                return self.wrote(environment, node, flow, element);
            }
            "TensorListSetItem" => {
                let (Some(list), Some(element)) = (at(self, environment, 0), at(self, environment, 2)) else {
                    return false;
                };
                return self.wrote(environment, node, list, element);
            }
            "TensorListPushBack" => {
                let (Some(list), Some(element)) = (at(self, environment, 0), at(self, environment, 1)) else {
                    return false;
                };
                return self.wrote(environment, node, list, element);
            }
            _ => return false,
        }
        true
    }

    fn wrote(
        &mut self,
        environment: &mut Environment<'g>,
        node: u32,
        list: ValueId,
        element: ValueId,
    ) -> bool {
        if !self.lists.empty.contains(&list) {
            return false;
        }
        let longer = self.output(environment, node, 0);
        self.lists.written.insert(longer, (list, element));
        true
    }

    fn gathered(
        &mut self,
        environment: &mut Environment<'g>,
        node: u32,
        list: ValueId,
        index: ValueId,
        into: &mut Vec<ir::Node>,
    ) -> bool {
        if !self.lists.whole.contains(&list) {
            return false;
        }
        let mut action = call_of(&semantics::operators::gather::OPERATOR, list, &[]);
        if let Action::Call(invocation) = &mut action {
            invocation.tensors.push([index].into_iter().collect());
        }
        let output = self.output(environment, node, 0);
        let place = self.place(environment, node);
        into.push(ir::Node {
            place,
            action,
            outputs: vec![Some(output)],
            faults: Vec::new(),
            remarks: Vec::new(),
        });
        true
    }
}
