//! What the signature of an operator says of a call: inputs are there and have a type it takes, words are among
//! its choices.

use super::{Argument, Call, Stop, intern};
use crate::dtype::Kind;
use crate::operator::{Arity, Category, ParameterKind, Preset};

impl Call {
    /// Checks the arguments against the signature.
    pub fn check_signature(&mut self) -> Result<(), Stop> {
        let operator = self.operator;
        for (position, input) in operator.inputs.iter().enumerate() {
            let tensors = self.tensors[position].clone();
            if tensors.is_empty() && !matches!(input.arity, Arity::Optional | Arity::Any) {
                let label = intern(format!("`{}` is given", input.name));
                return self.refuse(Category::IllegalValue, label);
            }
            for tensor in tensors {
                if input.types.kinds.len() < Kind::ALL.len()
                    && input.like.is_none_or(|like| like == input.name)
                {
                    let label = || intern(format!("`{}` is {}", input.name, input.types.name));
                    self.state(Category::IncompatibleType, label, tensor.dtype().is_in(input.types));
                }
                if let Some(other) = input.like.and_then(|like| self.optional(like)) {
                    let like = input.like.unwrap_or_default();
                    let label = || {
                        intern(if like == input.name {
                            format!("`{like}` have one element type")
                        } else {
                            format!("`{}` has the element type of `{like}`", input.name)
                        })
                    };
                    self.state(Category::IncompatibleType, label, tensor.dtype().same(other.dtype()));
                }
            }
        }
        for (position, parameter) in operator.parameters.iter().enumerate() {
            let argument = self.arguments[position].clone();
            let Some(argument) = argument else {
                if matches!(parameter.default, Preset::Required) {
                    let label = intern(format!("`{}` is given", parameter.name));
                    return self.refuse(Category::IllegalValue, label);
                }
                continue;
            };
            let choices = match parameter.kind {
                ParameterKind::Word(choices) | ParameterKind::Words(choices) => choices,
                _ => continue,
            };
            let in_any_case = matches!(parameter.kind, ParameterKind::Words(_));
            let fits = |word: &String| {
                choices
                    .iter()
                    .any(|choice| choice == word || (in_any_case && choice.eq_ignore_ascii_case(word)))
            };
            let fits = match &argument {
                Argument::Text(word) => fits(word),
                Argument::Texts(words) => words.iter().all(fits),
                _ => true,
            };
            if !fits {
                let label = intern(format!("`{}` is one of {}", parameter.name, choices.join(", ")));
                return self.refuse(Category::IllegalValue, label);
            }
        }
        Ok(())
    }
}
