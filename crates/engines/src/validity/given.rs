//! What the user says of an input: `x=f32[1,3,H,W]`, with its layout: `x=f32[N,H,W,C]:nhwc`.

use semantics::dtype::Kind;
use semantics::layout::Layout;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenInput {
    pub name: String,
    pub kind: Kind,
    /// Sizes as numbers or names.
    pub sizes: Vec<Result<i64, String>>,
    pub layout: Option<Layout>,
}

impl GivenInput {
    /// Reads `NAME=TYPE[SIZES][:LAYOUT]`; what is wrong is told after the name.
    pub fn parse(text: &str) -> Result<GivenInput, String> {
        let Some((name, rest)) = text.split_once('=') else {
            return Err(format!("{text}: `NAME=TYPE[SIZES]` expected"));
        };
        described(name.trim(), rest).map_err(|why| format!("{name}: {why}"))
    }
}

fn described(name: &str, text: &str) -> Result<GivenInput, String> {
    let (kind, sizes) = text.split_once('[').ok_or("`TYPE[SIZES]` expected")?;
    let kind = Kind::parse(kind.trim()).ok_or_else(|| format!("`{kind}` is not an element type"))?;
    let (sizes, layout) = sizes.trim_end().split_once(']').ok_or("`]` is missing")?;
    let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
    let size = |size: &str| match size.parse::<i64>() {
        Ok(number) if number < 0 => Err("a size is not negative".to_owned()),
        Ok(number) => Ok(Ok(number)),
        Err(_) if is_name(size) => Ok(Err(size.to_owned())),
        Err(_) => Err(format!("`{size}` is neither a size nor a name")),
    };
    let sizes: Vec<Result<i64, String>> = sizes.map(size).collect::<Result<_, _>>()?;
    let layout = match layout.strip_prefix(':') {
        Some(letters) => Some(Layout::parse(letters)?),
        None if layout.is_empty() => None,
        None => return Err(format!("`{layout}` after the sizes is no layout, such as `:nhwc`")),
    };
    if let Some(layout) = layout.as_ref().filter(|layout| layout.rank() != sizes.len()) {
        let (named, given) = (layout.rank(), sizes.len());
        return Err(format!("the layout {layout} names {named} axes, the sizes are {given}"));
    }
    Ok(GivenInput { name: name.to_owned(), kind, sizes, layout })
}

/// Arithmetic such as `N+1` is no name, though a file may well use it as one.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | ':'))
}
