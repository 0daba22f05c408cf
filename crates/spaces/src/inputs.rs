//! Tensors that a model is called with, as hyper-parameters: named sizes, `x.dtype`, `x.layout`, `x.rank`, `x.shape`
//! and `x.shape[1]`.

use crate::choice::Choice;
use crate::model::Bound;
use anyhow::{Context, Result, anyhow, bail};
use engines::validity::GivenInput;
use semantics::dtype::Kind;
use semantics::layout::Layout;

/// Inputs, with the bounds of the sizes that are only named.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    pub given: Vec<GivenInput>,
    /// The same before their axes are put in another order, and taken away or added.
    described: Vec<GivenInput>,
    /// The layout and the number of axes that each is to have.
    wanted: Vec<(Option<Layout>, Option<usize>)>,
    pub sizes: Vec<(String, i64, i64)>,
    /// The names of sizes before anything is changed: one whose axis is taken away is still known.
    named: Vec<String>,
}

impl Inputs {
    pub fn new(given: Vec<GivenInput>, sizes: Vec<(String, i64, i64)>) -> Inputs {
        let named =
            given.iter().flat_map(|input| &input.sizes).filter_map(|size| size.clone().err()).collect();
        let (described, wanted) = (given.clone(), vec![(None, None); given.len()]);
        Inputs { given, described, wanted, sizes, named }
    }

    /// What hyper-parameters can be called here.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for given in &self.given {
            names.extend(given.sizes.iter().filter_map(|size| size.clone().err()));
            names.extend(["dtype", "layout", "rank", "shape"].map(|what| format!("{}.{what}", given.name)));
        }
        names.sort();
        names.dedup();
        names
    }

    /// Sets a hyper-parameter; `false` if it is none of the inputs.
    pub fn tune(&mut self, name: &str, bound: &Bound) -> Result<bool> {
        if self.named.iter().any(|size| size == name) {
            self.bound(name, bound)?;
            return Ok(true);
        }
        let is_absent = matches!(bound, Bound::Absent);
        let Some((owner, what)) = name.rsplit_once('.') else { return Ok(false) };
        let Some(place) = self.given.iter().position(|input| input.name == owner) else { return Ok(false) };
        let text = || match bound {
            Bound::Fixed(Choice::Text(text)) => Ok(text.as_str()),
            _ => Err(anyhow!("`{name}`: words are expected")),
        };
        let input = &mut self.described[place];
        match what {
            // It is what the input is described as.
            "dtype" | "layout" | "rank" | "shape" if is_absent => {}
            "dtype" => {
                let text = text()?;
                let plain = text.rsplit('.').next().unwrap_or(text);
                input.kind = Kind::parse(plain)
                    .with_context(|| format!("`{name}`: `{text}` is not an element type"))?;
            }
            "layout" => {
                let layout = Layout::parse(text()?).map_err(|why| anyhow!("`{name}`: {why}"))?;
                self.wanted[place].0 = Some(layout);
            }
            "rank" => match bound {
                Bound::Fixed(Choice::Int(rank @ 0..=16)) => self.wanted[place].1 = Some(*rank as usize),
                _ => bail!("`{name}`: a number of axes is expected"),
            },
            "shape" => {
                let Bound::Fixed(Choice::Several(sizes)) = bound else {
                    bail!("`{name}`: lists of sizes are expected");
                };
                let size = |size: &Choice| match size {
                    Choice::Int(size) if *size >= 0 => Ok(Ok(*size)),
                    other => bail!("`{name}`: {other} is no size"),
                };
                input.sizes = sizes.iter().map(size).collect::<Result<_>>()?;
                input.layout = input.layout.take().filter(|layout| layout.rank() == sizes.len());
            }
            what => {
                let axis = what.strip_prefix("shape[").and_then(|rest| rest.strip_suffix(']'));
                let Some(axis) = axis.and_then(|axis| axis.parse::<usize>().ok()) else { return Ok(false) };
                if is_absent {
                    return Ok(true);
                }
                let count = input.sizes.len();
                let Some(size) = input.sizes.get_mut(axis) else {
                    bail!("`{name}`: `{owner}` has {count} axes");
                };
                *size = Err(name.to_owned());
                self.bound(name, bound)?;
            }
        }
        self.arrange(place).with_context(|| format!("`{name}`"))?;
        Ok(true)
    }
    /// Makes an input of what it is described as: first its axes are put in order, whatever is said first.
    fn arrange(&mut self, place: usize) -> Result<()> {
        let mut input = self.described[place].clone();
        let (layout, rank) = &self.wanted[place];
        if let Some(layout) = layout {
            lay_out(&mut input, layout.clone())?;
        }
        if let Some(rank) = *rank {
            // Axes are taken away, or put, in front: those at the end are what layers look at.
            let held = input.sizes.len();
            let fewer = held.saturating_sub(rank);
            input.sizes.drain(..fewer);
            input.sizes.splice(0..0, std::iter::repeat_n(Ok(1), rank.saturating_sub(held)));
            let left: Vec<usize> = (fewer..held).collect();
            input.layout = input.layout.filter(|layout| rank <= held && layout.channels() >= fewer);
            input.layout = input.layout.map(|layout| layout.transposed(&left));
        }
        self.given[place] = input;
        Ok(())
    }
    /// What an input is described as, if a hyper-parameter is about one; types and layouts as its values spell them.
    pub fn default_of(&self, name: &str, values: &[Choice]) -> Option<Choice> {
        let (owner, what) = name.rsplit_once('.')?;
        let input = self.given.iter().find(|input| input.name == owner)?;
        let spelled = |fits: &dyn Fn(&str) -> bool| {
            values.iter().find(|value| matches!(value, Choice::Text(text) if fits(text))).cloned()
        };
        let known = |size: &Result<i64, String>| size.as_ref().ok().map(|&size| Choice::Int(size));
        match what {
            "dtype" => {
                spelled(&|text| Kind::parse(text.rsplit('.').next().unwrap_or(text)) == Some(input.kind))
            }
            "layout" => spelled(&|text| Layout::parse(text).ok() == input.layout),
            "rank" => Some(Choice::Int(input.sizes.len() as i64)),
            "shape" => input.sizes.iter().map(known).collect::<Option<_>>().map(Choice::Several),
            what => {
                let axis = what.strip_prefix("shape[")?.strip_suffix(']')?.parse::<usize>().ok()?;
                known(input.sizes.get(axis)?)
            }
        }
    }
    fn bound(&mut self, name: &str, bound: &Bound) -> Result<()> {
        let (low, high) = match bound {
            Bound::Fixed(Choice::Int(number)) => (*number, *number),
            Bound::Between(low, high) => (*low, *high),
            Bound::Fixed(_) => bail!("`{name}` is a size: its values are whole numbers"),
            Bound::Absent => bail!("{}", left_out(name, "no size of an input can be left out")),
        };
        if low < 0 {
            bail!("`{name}` is a size: {low} is none");
        }
        self.sizes.retain(|(held, ..)| held != name);
        self.sizes.push((name.to_owned(), low, high));
        Ok(())
    }
}

/// What is said of a hyper-parameter that is not there though the model needs it.
pub fn left_out(name: &str, why: &str) -> String {
    format!("`{name}`: {why}: say what it is where its `when` does not hold (`otherwise = …`)")
}

/// Puts the axes of an input in another order; without a layout of its own it comes channels first.
fn lay_out(input: &mut GivenInput, layout: Layout) -> Result<()> {
    if layout.rank() != input.sizes.len() {
        bail!("the layout {layout} names {} axes, the input has {}", layout.rank(), input.sizes.len());
    }
    let own = match &input.layout {
        Some(own) => own.to_string(),
        None => {
            let order = layout.to_channels_first();
            layout.transposed(&order).to_string()
        }
    };
    let wanted = layout.to_string();
    let mut sizes = Vec::new();
    for letter in wanted.chars() {
        let Some(axis) = own.find(letter) else { bail!("the input has no axis `{letter}`") };
        sizes.push(input.sizes[axis].clone());
    }
    input.sizes = sizes;
    input.layout = Some(layout);
    Ok(())
}
