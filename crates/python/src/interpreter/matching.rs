//! `match` statements.

use super::expressions::constant_value;
use super::{Interpreter, Outcome};
use crate::heap::Payload;
use crate::syntax::{Case, Comparison, Expr, Name, Pattern};
use crate::value::{Pairs, Value};

impl Interpreter {
    pub(super) fn matched(&mut self, subject: &Expr, cases: &[Case]) -> Outcome<()> {
        let subject = self.evaluate(subject)?;
        match self.matching_case(&subject, cases)? {
            Some(case) => self.body(&case.body),
            None => Ok(()),
        }
    }
    /// The first case that takes the subject.
    pub(super) fn matching_case<'c>(
        &mut self,
        subject: &Value,
        cases: &'c [Case],
    ) -> Outcome<Option<&'c Case>> {
        for case in cases {
            if !self.fits(&case.pattern, subject)? {
                continue;
            }
            if let Some(guard) = &case.guard {
                let value = self.evaluate(guard)?;
                let truth = self.truth(&value)?;
                if !self.decide(truth)? {
                    continue;
                }
            }
            return Ok(Some(case));
        }
        Ok(None)
    }

    fn fits(&mut self, pattern: &Pattern, subject: &Value) -> Outcome<bool> {
        match pattern {
            Pattern::Value(value) => {
                let value = self.evaluate(value)?;
                let equal = self.compare(Comparison::Equal, subject, &value)?;
                let truth = self.truth(&equal)?;
                self.decide(truth)
            }
            Pattern::Singleton(constant) => Ok(constant_value(constant).is(subject)),
            Pattern::Or(patterns) => {
                for pattern in patterns {
                    if self.fits(pattern, subject)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Pattern::As { pattern, name } => {
                if let Some(pattern) = pattern
                    && !self.fits(pattern, subject)?
                {
                    return Ok(false);
                }
                if let Some(name) = name {
                    self.bind(*name, subject.clone())?;
                }
                Ok(true)
            }
            Pattern::Star(name) => {
                if let Some(name) = name {
                    self.bind(*name, subject.clone())?;
                }
                Ok(true)
            }
            Pattern::Sequence(patterns) => self.fits_sequence(patterns, subject),
            Pattern::Mapping { keys, patterns, rest } => self.fits_mapping(keys, patterns, *rest, subject),
            Pattern::Class { class, patterns, keywords } => {
                let class = self.evaluate(class)?;
                if !self.is_instance(subject, &class)? {
                    return Ok(false);
                }
                let names = match self.find_attribute(&class, Name::new("__match_args__"))? {
                    Some(names) if !patterns.is_empty() => self.items_of(&names)?,
                    _ => Vec::new(),
                };
                if names.is_empty() && patterns.len() == 1 {
                    // Built-in types match themselves.
                    return self.fits(&patterns[0], subject);
                }
                let named = names.iter().filter_map(|name| name.as_text().map(|text| Name::new(text)));
                let all: Vec<(Name, &Pattern)> = named
                    .zip(patterns)
                    .chain(keywords.iter().map(|(name, pattern)| (*name, pattern)))
                    .collect();
                for (name, pattern) in all {
                    let Some(value) = self.find_attribute(subject, name)? else { return Ok(false) };
                    if !self.fits(pattern, &value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    fn fits_sequence(&mut self, patterns: &[Pattern], subject: &Value) -> Outcome<bool> {
        // `torch.Size` and named tuples are sequences, too.
        let subject = &self.unwrapped(subject);
        let items = match (subject, self.payload(subject)) {
            (Value::Tuple(items), _) => items.to_vec(),
            (_, Some(Payload::List(items))) => items.clone(),
            _ => return Ok(false),
        };
        let star = patterns.iter().position(|pattern| matches!(pattern, Pattern::Star(_)));
        let Some(star) = star else {
            if items.len() != patterns.len() {
                return Ok(false);
            }
            return self.all_fit(patterns, &items);
        };
        let after = patterns.len() - star - 1;
        if items.len() < star + after {
            return Ok(false);
        }
        let middle = self.new_list(items[star..items.len() - after].to_vec());
        Ok(self.all_fit(&patterns[..star], &items[..star])?
            && self.fits(&patterns[star], &middle)?
            && self.all_fit(&patterns[star + 1..], &items[items.len() - after..])?)
    }
    fn all_fit(&mut self, patterns: &[Pattern], items: &[Value]) -> Outcome<bool> {
        for (pattern, item) in patterns.iter().zip(items) {
            if !self.fits(pattern, item)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn fits_mapping(
        &mut self,
        keys: &[Expr],
        patterns: &[Pattern],
        rest: Option<Name>,
        subject: &Value,
    ) -> Outcome<bool> {
        let Some(Payload::Dict(pairs)) = self.payload(subject) else { return Ok(false) };
        let mut left: Pairs = pairs.clone();
        for (key, pattern) in keys.iter().zip(patterns) {
            let key = self.evaluate(key)?;
            let key = self.key(&key)?;
            let Some((_, value)) = left.shift_remove(&key) else { return Ok(false) };
            if !self.fits(pattern, &value)? {
                return Ok(false);
            }
        }
        if let Some(rest) = rest {
            let rest_value = self.new_dict(left);
            self.bind(rest, rest_value)?;
        }
        Ok(true)
    }
}
