//! Operators that exist but have no definition here, and why.

/// Why an operator of a domain is not defined here; `None` if it is not known at all.
pub fn reason(_domain: &str, _name: &str) -> Option<&'static str> {
    None
}
