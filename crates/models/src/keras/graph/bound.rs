//! The weights of a layer: those that are stored for it, or those that it makes.

use super::super::call::Among;
use super::super::origins::name;
use super::super::stored::Owner;
use super::super::{arguments, meant, weights};
use super::layer::ACTIVATION;
use super::{Bound, Filed, Reader};
use layers::layer::Layer;
use program::ir::ValueId;
use program::ir::{Constant, Fault};
use semantics::dtype::Kind;
use serde_json::{Map, Value};
use std::rc::Rc;

impl Reader<'_> {
    /// Leaves alone what is stored for a layer of which nothing is known.
    pub(super) fn pass_over(&mut self, filed: Filed<'_>) {
        let names: Vec<&str> = self.around.iter().map(String::as_str).chain([name(filed.layer)]).collect();
        let owner = Owner { folder: &self.folder, own: filed.folder, names: &names };
        if let Some(stored) = self.stored.as_deref_mut() {
            stored.pass_over(&owner);
        }
    }

    /// The weights that a layer has where none are stored: those that it says it was built with, or those that its
    /// first call made.
    fn made(
        &mut self,
        layer: &str,
        definition: Option<&'static Layer>,
        built: Option<Vec<weights::Built>>,
        config: &Map<String, Value>,
        place: &str,
    ) -> Vec<(String, ValueId)> {
        if let Some(built) = built {
            let kind = self.policies.get(place).copied().filter(|kind| kind.is_float()).unwrap_or(Kind::F32);
            let stored = |(name, sizes): weights::Built| {
                let constant = Constant { kind, sizes, load: Rc::new(|| None) };
                (name.to_string(), self.network.stored(&format!("{layer}/{name}"), constant))
            };
            let made: Vec<(String, ValueId)> = built.into_iter().map(stored).collect();
            self.bound.insert(layer.to_string(), Ok(made.clone()));
            return made;
        }
        let Some(first) = self.first.get(layer) else {
            self.first.insert(layer.to_string(), place.to_string());
            return Vec::new();
        };
        let names =
            definition.and_then(|layer| weights::made(layer, config)).filter(|names| !names.is_empty());
        let made = names.and_then(|names| self.network.weights_of(first, &names)).unwrap_or_default();
        self.bound.insert(layer.to_string(), Ok(made.clone()));
        made
    }

    /// Finds the weights of a layer among those that are stored.
    pub(super) fn bind(
        &mut self,
        filed: Filed<'_>,
        class: &str,
        config: &Map<String, Value>,
        place: &str,
    ) -> Bound {
        let names: Vec<&str> = self.around.iter().map(String::as_str).chain([name(filed.layer)]).collect();
        let layer = names.join("/");
        if let Some(bound) = self.bound.get(&layer) {
            return bound.clone();
        }
        let definition = Among::Layers.find(class);
        let built = definition.and_then(|layer| weights::built(layer, config, &filed.layer["build_config"]));
        let Some(stored) = self.stored.as_deref_mut() else {
            return Ok(self.made(&layer, definition, built, config, place));
        };
        let owner = Owner { folder: &self.folder, own: filed.folder, names: &names };
        let made = definition.and_then(|layer| weights::made(layer, config));
        let missing = match (made.is_none(), definition) {
            (true, Some(layer)) => arguments::missing(layer, config),
            _ => None,
        };
        let bound = match (made, missing) {
            (Some(made), _) => weights::bound(&made, stored.of_layer(&owner, filed.layer), config)
                .and_then(|bound| weights::fits(bound, built.as_deref())),
            (None, missing) => {
                stored.pass_over(&owner);
                missing.map_or(Ok(Vec::new()), Err)
            }
        };
        // Arguments with which a layer makes no weights are at fault where some are stored for it.
        let refused = definition.filter(|_| bound.is_ok() && built.is_none());
        let refused = refused.and_then(|layer| weights::refused(layer, config, &filed.layer["build_config"]));
        // The weights say what was meant, unless too many layers ask.
        let is_at_fault = bound.is_err() || refused.is_some();
        let meant = definition.filter(|_| is_at_fault && self.efforts > 0).and_then(|layer| {
            self.efforts -= 1;
            let found = stored.of_layer(&owner, filed.layer);
            meant::of(layer, config, &filed.layer["build_config"], &found)
        });
        let bound = match (refused, &meant) {
            (Some((category, label)), Some(_)) => {
                let detail = "it makes no weights so".to_string();
                Err(Fault { category, label: label.into(), detail, mend: None })
            }
            _ => bound,
        };
        let bound = bound.or_else(|fault| match meant {
            Some(meant) => Err(Fault {
                detail: format!("{}: {} for what is stored", fault.detail, meant.words),
                mend: Some(meant.mend),
                ..fault
            }),
            // The definition tells that it is missing.
            None if fault.label.ends_with(arguments::IS_GIVEN) => Ok(Vec::new()),
            None => Err(fault),
        });
        // What Keras does not store of an activation it makes anew.
        let bound = match bound {
            Err(_) if filed.folder.ends_with(ACTIVATION) => Ok(Vec::new()),
            bound => bound,
        };
        let bound = bound.map(|constants| {
            let name = |weight: &str| format!("{layer}/{weight}");
            constants
                .into_iter()
                .map(|(weight, constant)| (weight.clone(), self.network.stored(&name(&weight), constant)))
                .collect()
        });
        self.bound.insert(layer, bound.clone());
        bound
    }
}
