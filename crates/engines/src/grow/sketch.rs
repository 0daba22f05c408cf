//! A model under construction: what it holds so far, and one more call that is first checked, then evaluated.

use super::Options;
use crate::draw::Draw;
use crate::evaluate::{Mode, Reading};
use crate::run::{self, Why};
use layers::layer::Layer;
use program::arguments;
use program::ir::{Action, Given, Invocation, Size, ValueId};
use program::network::{Network, Wired};
use semantics::arena;
use semantics::array::{Array, Data};
use semantics::call::{Call, Stop};
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::operator::{Backend, Category};
use semantics::shape::Shape;
use semantics::tensor::{Content, Tensor};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

pub(super) struct Sketch {
    pub network: Network,
    /// The type of all floats.
    pub kind: Kind,
    pub batch: i64,
    pub held: Vec<Held>,
    pub calls: Vec<Called>,
    readings: Vec<Option<Rc<Reading>>>,
}

/// A value that layers can read.
pub(super) struct Held {
    pub value: ValueId,
    pub kind: Kind,
    pub sizes: Vec<i64>,
    /// The layer that gives it; none for an input.
    pub maker: Option<usize>,
    pub uses: u32,
    pub finite: bool,
}

/// A layer that was called, and with what: it can be called again.
pub(super) struct Called {
    pub layer: usize,
    pub name: String,
    pub first: usize,
    outputs: usize,
    weights: Vec<(&'static str, Vec<ValueId>)>,
    arguments: Vec<(&'static str, Given)>,
}

pub(super) enum Operand {
    Held(usize),
    /// A new input of the model.
    Fresh(Array),
}

/// A call to be: its layer, and what it reads, per input of the signature.
pub(super) struct Draft {
    pub layer: usize,
    pub definition: &'static Layer,
    pub operands: Vec<(usize, SmallVec<[Operand; 2]>)>,
}

/// What a valid call needs and gives.
pub(super) struct Needs {
    weights: Vec<Made>,
    outputs: usize,
}

/// A weight that a layer makes: the input of the signature that it is, and its shape.
pub(super) struct Made {
    slot: usize,
    kind: Kind,
    shape: Vec<usize>,
}

/// Why a call is not to be: the requirement that does not hold, if that is why.
pub(super) type Broken = Option<&'static str>;

impl Sketch {
    pub fn new(kind: Kind, batch: i64, backend: Backend, policy: Option<Kind>) -> Sketch {
        Sketch {
            network: Network::computed_by(backend).in_type(policy),
            kind,
            batch,
            held: Vec::new(),
            calls: Vec::new(),
            readings: Vec::new(),
        }
    }

    pub fn reading(&self, value: ValueId) -> Option<&Rc<Reading>> {
        self.readings.get(value.0 as usize)?.as_ref()
    }
    fn keep(&mut self, value: ValueId, reading: Rc<Reading>) {
        let at = value.0 as usize;
        if self.readings.len() <= at {
            self.readings.resize(at + 1, None);
        }
        self.readings[at] = Some(reading);
    }
    /// The mask that goes with a value, if it takes some away and leaves some.
    pub fn mask(&self, value: ValueId) -> Option<ValueId> {
        let mask = self.network.mask(value)?;
        let Data::Bool(truths) = &self.reading(mask)?.array.data else { return None };
        (truths.contains(&true) && truths.contains(&false)).then_some(mask)
    }
    /// Whether such a mask comes with an operand.
    pub fn is_masked(&self, draft: &Draft) -> bool {
        draft.operands.iter().flat_map(|(_, operands)| operands).any(|operand| match operand {
            Operand::Held(at) => self.mask(self.held[*at].value).is_some(),
            Operand::Fresh(_) => false,
        })
    }
    pub fn sizes(&self, operand: &Operand) -> Vec<i64> {
        match operand {
            Operand::Held(at) => self.held[*at].sizes.clone(),
            Operand::Fresh(array) => array.shape.iter().map(|&size| size as i64).collect(),
        }
    }

    pub fn kind_of(&self, operand: &Operand) -> Kind {
        match operand {
            Operand::Held(at) => self.held[*at].kind,
            Operand::Fresh(array) => array.kind,
        }
    }

    /// The call of a draft in the current arena, its values known.
    pub fn put_together(&self, draft: &Draft, given: &[Option<Given>]) -> Call {
        let operator = &draft.definition.operator;
        let mut tensors: SmallVec<[SmallVec<[ValueId; 4]>; 3]> =
            smallvec![SmallVec::new(); operator.inputs.len()];
        let mut flat: SmallVec<[&Operand; 4]> = SmallVec::new();
        for (slot, operands) in &draft.operands {
            for operand in operands {
                tensors[*slot].push(ValueId(flat.len() as u32));
                flat.push(operand);
            }
        }
        let arguments = given.to_vec();
        let invocation = Invocation {
            operator,
            define: operator.define,
            tensors,
            arguments,
            channels_first: None,
            narrower: SmallVec::new(),
            backend: self.network.backend(),
            policy: self.network.policy(),
        };
        arguments::call(&invocation, 1, &mut |value| {
            let (kind, shape, reading) = match flat[value.0 as usize] {
                Operand::Held(at) => {
                    let held = &self.held[*at];
                    let shape = Shape::new(held.sizes.iter().map(|&size| size.into()));
                    let Some(reading) = self.reading(held.value).cloned() else {
                        return Tensor::given("", held.kind, shape);
                    };
                    (held.kind, shape, reading)
                }
                Operand::Fresh(array) => {
                    let shape = Shape::new(array.shape.iter().map(|&size| (size as i64).into()));
                    (array.kind, shape, Rc::new(run::exact(array.clone())))
                }
            };
            Tensor::new(kind, shape, Content::Stored(Rc::new(move || Some(reading.array.clone()))))
        })
    }

    /// Asks the definition: the weights that the call needs, if all its requirements hold, the framework can be told
    /// of it, and its results are not too large.
    pub fn check(&self, draft: &Draft, given: &[Option<Given>], options: &Options) -> Result<Needs, Broken> {
        let first = &draft.operands[0].1[0];
        let (kind, sizes) = (self.kind_of(first), self.sizes(first));
        (options.can_tell)(&draft.definition.operator, given, kind, &sizes)?;
        let most = options.most_elements;
        arena::scope(|| {
            let mut call = self.put_together(draft, given);
            let before: SmallVec<[usize; 8]> = call.tensors.iter().map(|tensors| tensors.len()).collect();
            let outcome = call.run(call.operator.define);
            let binding = call.requirements.iter().filter(|requirement| {
                let disputed =
                    matches!(requirement.category, Category::UnsupportedValue | Category::ToleratedValue);
                requirement.category.binds() || options.undisputed && disputed
            });
            for requirement in binding {
                if requirement.prop.known() != Some(true) {
                    return Err(Some(requirement.label));
                }
            }
            let outputs = match outcome {
                Ok(outputs) => outputs,
                Err(Stop::Violated | Stop::Unknown(_)) => return Err(None),
            };
            if !outputs.iter().all(|output| output.shape().count().le(most).known() == Some(true)) {
                return Err(None);
            }
            let mut made = Vec::new();
            for (slot, tensors) in call.tensors.iter().enumerate() {
                for tensor in &tensors[before[slot]..] {
                    let size = |size: Dim| usize::try_from(size.known()?).ok();
                    let sizes = tensor.shape().sizes().ok_or(None)?;
                    let shape: Option<Vec<usize>> = sizes.iter().map(|&dim| size(dim)).collect();
                    made.push(Made { slot, kind: tensor.kind(), shape: shape.ok_or(None)? });
                }
            }
            Ok(Needs { weights: made, outputs: outputs.len() })
        })
    }

    /// Adds a call that was found valid, with weights drawn for it, and evaluates it.
    /// The network is as before if that does not work.
    pub fn add(
        &mut self,
        draft: &Draft,
        given: &[Option<Given>],
        needs: &Needs,
        draw: &mut Draw,
    ) -> Result<(), Why> {
        let Needs { weights, outputs: wanted } = needs;
        let operator = &draft.definition.operator;
        let start = self.network.mark();
        let mut tensors: Vec<(&'static str, Vec<ValueId>)> = Vec::with_capacity(draft.operands.len());
        let mut fresh: SmallVec<[(ValueId, Kind, Vec<i64>); 2]> = SmallVec::new();
        for (slot, operands) in &draft.operands {
            let mut values = Vec::with_capacity(operands.len());
            for operand in operands {
                values.push(match operand {
                    Operand::Held(at) => self.held[*at].value,
                    Operand::Fresh(array) => {
                        let sizes: Vec<i64> = array.shape.iter().map(|&size| size as i64).collect();
                        let name = format!("x{}", self.network.graph().inputs.len());
                        let declared = sizes.iter().map(|&size| Size::Known(size)).collect();
                        let value = self.network.input(&name, array.kind, declared);
                        self.keep(value, Rc::new(run::exact(array.clone())));
                        fresh.push((value, array.kind, sizes));
                        value
                    }
                });
            }
            tensors.push((operator.inputs[*slot].name, values));
        }
        let name = format!("{}_{}", operator.name.to_lowercase(), self.calls.len());
        let parameters = operator.parameters.iter().zip(given);
        let arguments: Vec<(&'static str, Given)> =
            parameters.filter_map(|(parameter, given)| Some((parameter.name, given.clone()?))).collect();
        let finite_inputs =
            draft.operands.iter().flat_map(|(_, operands)| operands).all(|operand| match operand {
                Operand::Held(at) => self.held[*at].finite,
                Operand::Fresh(_) => true,
            });
        let before_weights = self.network.mark();
        let mut positive = false;
        loop {
            let made = self.weights(operator.inputs, weights, positive, draw);
            let mut wired = tensors.clone();
            wired.extend(made.iter().cloned());
            match self.call(draft.definition, &name, wired, arguments.clone(), *wanted) {
                Err(why) => {
                    self.network.undo(start);
                    return Err(why);
                }
                // Some weights only make sense if they are not negative, such as variances.
                Ok(outputs)
                    if finite_inputs && !positive && !weights.is_empty() && !self.is_finite(outputs[0]) =>
                {
                    self.network.undo(before_weights);
                    positive = true;
                }
                Ok(outputs) => {
                    let first = match &draft.operands[0].1[0] {
                        Operand::Held(at) => *at,
                        Operand::Fresh(_) => self.held.len(),
                    };
                    for (value, kind, sizes) in fresh {
                        self.held.push(Held { value, kind, sizes, maker: None, uses: 1, finite: true });
                    }
                    for (_, operands) in &draft.operands {
                        for operand in operands {
                            if let Operand::Held(at) = operand {
                                self.held[*at].uses += 1;
                            }
                        }
                    }
                    outputs.iter().rev().for_each(|output| self.hold(draft.layer, *output));
                    let (layer, outputs) = (draft.layer, *wanted);
                    self.calls.push(Called { layer, name, first, outputs, weights: made, arguments });
                    return Ok(());
                }
            }
        }
    }

    /// Calls a layer that was called before again, on another value of the same form.
    pub fn share(&mut self, call: usize, on: usize, definition: &'static Layer) -> Result<(), Why> {
        let called = &self.calls[call];
        let (layer, name, arguments) = (called.layer, called.name.clone(), called.arguments.clone());
        let mut wired = vec![(definition.operator.inputs[0].name, vec![self.held[on].value])];
        wired.extend(called.weights.iter().cloned());
        let weights = called.weights.clone();
        let start = self.network.mark();
        let wanted = called.outputs;
        let outputs = self.call(definition, &name, wired, arguments.clone(), wanted);
        if outputs.is_err() {
            self.network.undo(start);
        }
        let outputs = outputs?;
        self.held[on].uses += 1;
        outputs.iter().rev().for_each(|output| self.hold(layer, *output));
        self.calls.push(Called { layer, name, first: on, outputs: wanted, weights, arguments });
        Ok(())
    }

    /// Wires the layer and evaluates what that adds.
    fn call(
        &mut self,
        definition: &'static Layer,
        name: &str,
        tensors: Vec<(&'static str, Vec<ValueId>)>,
        arguments: Vec<(&'static str, Given)>,
        wanted: usize,
    ) -> Result<Vec<ValueId>, Why> {
        let done = self.network.graph().nodes.len();
        let wired = Wired { tensors, arguments, wanted, faults: Vec::new() };
        let outputs = self.network.layer(definition, name, wired);
        for at in done..self.network.graph().nodes.len() {
            let node = &self.network.graph().nodes[at];
            let Action::Call(invocation) = &node.action else {
                return Err(Why::Unknown("its meaning is not known".into()));
            };
            let (network, readings) = (&self.network, &self.readings);
            let found = run::call(invocation, node, Mode::Plain, 0, &mut |value| match readings
                .get(value.0 as usize)
                .and_then(Option::as_ref)
            {
                Some(reading) => Ok((reading.clone(), network.name(value))),
                None => {
                    // What the network itself put there, such as the mask of a value that has none.
                    let stored = network.graph().constants.iter().rev().find(|(id, _)| *id == value);
                    let array = stored.and_then(|(_, constant)| (constant.load)());
                    let array = array.ok_or_else(|| Why::Unknown("a value is missing".into()))?;
                    Ok((Rc::new(run::exact(array)), network.name(value)))
                }
            })?;
            let values: SmallVec<[Option<ValueId>; 2]> = node.outputs.iter().copied().collect();
            for (value, reading) in values.into_iter().zip(found) {
                if let (Some(value), Some(reading)) = (value, reading) {
                    self.keep(value, reading);
                }
            }
        }
        Ok(outputs)
    }

    fn weights(
        &mut self,
        inputs: &'static [semantics::operator::Input],
        weights: &[Made],
        positive: bool,
        draw: &mut Draw,
    ) -> Vec<(&'static str, Vec<ValueId>)> {
        let mut made: Vec<(&'static str, Vec<ValueId>)> = Vec::with_capacity(weights.len());
        for weight in weights {
            let name = inputs[weight.slot].name;
            let kind = if weight.kind.is_float() { self.kind } else { weight.kind };
            let mut array = draw.array(kind, &weight.shape);
            if let (true, Data::Float(values)) = (positive, &mut array.data) {
                values.iter_mut().for_each(|value| *value = value.abs());
            }
            let value = self.network.constant(name, array.clone());
            self.keep(value, Rc::new(run::exact(array)));
            match made.last_mut() {
                Some((last, values)) if *last == name => values.push(value),
                _ => made.push((name, vec![value])),
            }
        }
        made
    }

    fn is_finite(&self, value: ValueId) -> bool {
        let floats = self.reading(value).and_then(|reading| reading.array.as_floats());
        floats.is_none_or(|values| values.iter().all(|value| value.is_finite()))
    }

    fn hold(&mut self, layer: usize, value: ValueId) {
        let Some(reading) = self.reading(value) else { return };
        let sizes = reading.array.shape.iter().map(|&size| size as i64).collect();
        let (kind, finite) = (reading.array.kind, self.is_finite(value));
        self.held.push(Held { value, kind, sizes, maker: Some(layer), uses: 0, finite });
    }

    pub fn finish(self) -> super::Case {
        let unread = self.held.iter().filter(|held| held.uses == 0 && held.maker.is_some());
        let outputs = unread.map(|held| held.value).collect();
        let program = self.network.finish("grown", outputs);
        let inputs = &program.graph.inputs;
        let array =
            |value: ValueId| self.readings[value.0 as usize].as_ref().map(|reading| reading.array.clone());
        let inputs = inputs.iter().filter_map(|&value| Some((value, array(value)?))).collect();
        super::Case { program, inputs, values: self.readings }
    }
}
