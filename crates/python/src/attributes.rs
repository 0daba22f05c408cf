//! Names with their values, in the order they were set.
//!
//! Most objects and scopes hold a handful of names: those are looked for one by one, which is faster than any table and
//! needs one allocation. From [`FEW`] names on there is a table as well.

use crate::syntax::Name;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::ops::Index;

/// As many names are looked for one by one.
const FEW: usize = 20;

#[derive(Clone, Default)]
pub struct Attributes {
    entries: Vec<(Name, Value)>,
    /// The places of the names, where there are many.
    places: Option<Box<FxHashMap<Name, u32>>>,
}

impl Attributes {
    /// None yet, with room for so many.
    pub fn with_room(names: usize) -> Attributes {
        Attributes { entries: Vec::with_capacity(names), places: None }
    }
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    fn place(&self, name: Name) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(&name).map(|place| *place as usize),
            None => self.entries.iter().position(|(other, _)| *other == name),
        }
    }
    pub fn get(&self, name: &Name) -> Option<&Value> {
        self.place(*name).map(|place| &self.entries[place].1)
    }
    pub fn get_mut(&mut self, name: &Name) -> Option<&mut Value> {
        self.place(*name).map(|place| &mut self.entries[place].1)
    }
    pub fn contains_key(&self, name: &Name) -> bool {
        self.place(*name).is_some()
    }
    /// Sets a name, which keeps its place if it was set before; the answer is its old value.
    pub fn insert(&mut self, name: Name, value: Value) -> Option<Value> {
        if let Some(place) = self.place(name) {
            return Some(std::mem::replace(&mut self.entries[place].1, value));
        }
        if let Some(places) = &mut self.places {
            places.insert(name, self.entries.len() as u32);
        }
        self.entries.push((name, value));
        if self.places.is_none() && self.entries.len() > FEW {
            self.find_places();
        }
        None
    }
    /// Removes a name; those set after it move up.
    pub fn remove(&mut self, name: &Name) -> Option<Value> {
        let (_, value) = self.entries.remove(self.place(*name)?);
        self.find_places();
        Some(value)
    }
    pub fn retain(&mut self, mut keep: impl FnMut(&Name, &mut Value) -> bool) {
        self.entries.retain_mut(|(name, value)| keep(name, value));
        self.find_places();
    }
    fn find_places(&mut self) {
        self.places = (self.entries.len() > FEW).then(|| {
            let numbered = self.entries.iter().enumerate();
            Box::new(numbered.map(|(place, (name, _))| (*name, place as u32)).collect())
        });
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Name, &Value)> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(name, value)| (name, value))
    }
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Name, &mut Value)> {
        self.entries.iter_mut().map(|(name, value)| (&*name, value))
    }
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Name> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(name, _)| name)
    }
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(_, value)| value)
    }
}

impl Index<&Name> for Attributes {
    type Output = Value;
    fn index(&self, name: &Name) -> &Value {
        self.get(name).expect("whoever indexes knows that the name is there")
    }
}

impl FromIterator<(Name, Value)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (Name, Value)>>(pairs: I) -> Attributes {
        let mut attributes = Attributes::default();
        attributes.extend(pairs);
        attributes
    }
}
impl Extend<(Name, Value)> for Attributes {
    fn extend<I: IntoIterator<Item = (Name, Value)>>(&mut self, pairs: I) {
        for (name, value) in pairs {
            self.insert(name, value);
        }
    }
}
impl IntoIterator for Attributes {
    type Item = (Name, Value);
    type IntoIter = std::vec::IntoIter<(Name, Value)>;
    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::{Attributes, FEW};
    use crate::syntax::Name;
    use crate::value::Value;

    #[test]
    fn few_and_many_names_keep_their_order() {
        let name = |number: usize| Name::new(&format!("name{number}"));
        let mut attributes = Attributes::default();
        for number in 0..2 * FEW {
            assert!(attributes.insert(name(number), Value::int(0)).is_none());
            assert!(attributes.insert(name(number), Value::int(number as i64)).is_some());
        }
        for removed in [0, FEW, 2 * FEW - 1] {
            assert_eq!(
                attributes.remove(&name(removed)).and_then(|value| value.as_int()),
                Some(removed as i64)
            );
            assert!(attributes.remove(&name(removed)).is_none() && !attributes.contains_key(&name(removed)));
        }
        attributes.retain(|_, value| value.as_int().is_some_and(|number| number % 2 == 1));
        let odd: Vec<i64> = attributes.values().filter_map(Value::as_int).collect();
        let expected: Vec<i64> = (0..2 * FEW as i64 - 1).filter(|number| number % 2 == 1).collect();
        assert_eq!(odd, expected);
        assert!(expected.iter().all(|&number| attributes[&name(number as usize)].as_int() == Some(number)));
    }
}
