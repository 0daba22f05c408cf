//! Drawing the arguments of a layer. The signature says what kind of thing an argument is, the definition's own
//! examples show texts and lists, and what the definition accepted before is drawn more often.

use super::novelty::{Fact, Facts, Novelty};
use super::odds::{Odds, pick, pick_evenly};
use crate::draw::Draw;
use layers::layer::Layer;
use layers::layers::ALL;
use program::ir::Given;
use semantics::arena;
use semantics::call::Argument;
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::example::{self, Expected};
use semantics::operator::{Operator, Parameter, ParameterKind, Preset};
use smallvec::SmallVec;

/// Whole numbers that are drawn: every small one, on both sides of zero.
pub(super) const LOWEST: i64 = -4;
pub(super) const NUMBERS: usize = 11;
/// Numbers at which functions turn, vanish or overflow, and plain ones.
const REALS: [f64; 16] =
    [0.0, 1.0, -1.0, 0.5, 0.25, 2.0, -0.5, 0.1, 0.999, 1e-3, 1e-7, 1e-12, 6.0, 10.0, 1e3, -1e3];

/// Of a hundred arguments that can be left out, so many are.
const LEFT_OUT: u64 = 40;
/// So often all arguments are drawn, to take what is newest.
const DRAWS: usize = 3;

/// Of a hundred numbers and lists of them that did not fit, so many keep their form and get other numbers.
const KEPT: u64 = 90;

/// What is drawn for the arguments of one layer.
pub(super) struct Habits {
    parameters: Vec<Habit>,
    novelty: Novelty,
}

struct Habit {
    /// The parameter as labels name it.
    quoted: String,
    choices: Vec<Choice>,
    odds: Vec<Odds>,
    numbers: [Odds; NUMBERS],
    /// What failing examples show.
    faults: Vec<Given>,
    /// The type in which floats are kept.
    floats: Kind,
}

enum Choice {
    /// The default.
    Leave,
    Value(Given),
    Numbers(Form),
    Reals(usize),
    /// A layer with arguments of its own, by its place in the list of layers.
    Layer(usize),
}

/// How many numbers a list has and what they may stand for.
#[derive(Clone, Copy)]
enum Form {
    One,
    Many(usize),
    /// As many as the input has axes, less so many.
    PerAxis(usize),
    /// Two for each axis of space.
    PerSide,
    /// The axes after the batch in some order.
    Order,
    /// Some axes, each once, from either end.
    Axes,
    /// Numbers whose product is that of the sizes after the batch; one may be left open.
    Factors,
    /// The last sizes of the input.
    Sizes,
}

const FORMS: [Form; 14] = [
    Form::One,
    Form::Many(0),
    Form::Many(1),
    Form::Many(2),
    Form::Many(3),
    Form::Many(4),
    Form::PerAxis(0),
    Form::PerAxis(1),
    Form::PerAxis(2),
    Form::PerSide,
    Form::Order,
    Form::Axes,
    Form::Factors,
    Form::Sizes,
];

/// Parameters that are to blame.
pub(super) type Blamed = SmallVec<[usize; 4]>;

/// Arguments, and how they were chosen.
pub(super) struct Drawn {
    pub arguments: Vec<Option<Given>>,
    picks: Vec<Picked>,
    /// What it is called on, as a small number.
    context: usize,
}

struct Picked {
    choice: usize,
    numbers: SmallVec<[u8; 8]>,
}

impl Habits {
    /// Layers that are absent are not drawn as arguments; floats are those of a type.
    pub fn new(operator: &'static Operator, absent: &[&str], floats: Kind) -> Habits {
        let each = operator.parameters.iter().map(|parameter| Habit::new(parameter, absent, floats));
        let mut parameters: Vec<Habit> = each.collect();
        for text in operator.examples {
            arena::scope(|| {
                let Ok(example) = example::parse_call(text, operator) else { return };
                let fails = matches!(example.expected, Expected::Fails(_));
                for (habit, argument) in parameters.iter_mut().zip(&example.call.arguments) {
                    let given = argument.as_ref().and_then(owned);
                    habit.learn(given, fails);
                }
            });
        }
        Habits { parameters, novelty: Novelty::default() }
    }

    /// Arguments for a first input of these sizes and this kind (`context`), rather such as did not come together
    /// before; `all` are the habits of all layers.
    pub fn draw(&self, all: &[Habits], sizes: &[i64], context: usize, draw: &mut Draw) -> Drawn {
        let mut best = self.draw_any(all, sizes, context, draw);
        if self.parameters.is_empty() {
            return best;
        }
        let mut most = self.novelty.of(&self.facts(&best));
        for _ in 1..DRAWS {
            let other = self.draw_any(all, sizes, context, draw);
            let new = self.novelty.of(&self.facts(&other));
            if new > most {
                (best, most) = (other, new);
            }
        }
        best
    }

    fn draw_any(&self, all: &[Habits], sizes: &[i64], context: usize, draw: &mut Draw) -> Drawn {
        let each = self.parameters.iter().map(|habit| habit.draw(all, sizes, draw));
        let (arguments, picks) = each.unzip();
        Drawn { arguments, picks, context }
    }

    /// What is true of a call with these arguments.
    fn facts(&self, drawn: &Drawn) -> Facts {
        let each = drawn.picks.iter().zip(&drawn.arguments).enumerate();
        let chosen = each.map(|(place, (picked, given))| {
            // Numbers that differ from axis to axis, or from side to side, are another thing than equal ones, and those
            // that no sum tells apart yet another.
            let differ = match given {
                Some(Given::Ints(numbers)) => usize::from(differ(numbers)) + usize::from(mirror(numbers)),
                _ => 0,
            };
            Fact::new(place, 3 * picked.choice + differ)
        });
        chosen.chain([Fact::new(drawn.picks.len(), drawn.context)]).collect()
    }

    /// Whether a label names any argument.
    pub fn are_named(&self, label: Option<&str>) -> bool {
        label.is_some_and(|label| self.parameters.iter().any(|habit| label.contains(&habit.quoted)))
    }

    /// Blames those arguments that the broken requirement names, or one of all if it names none.
    pub fn blame(&mut self, drawn: &Drawn, label: Option<&str>, draw: &mut Draw) -> Blamed {
        let facts = self.facts(drawn);
        self.novelty.note(&facts, false);
        let named = |habit: &Habit| label.is_some_and(|label| label.contains(&habit.quoted));
        let mut blamed = Blamed::new();
        for (at, habit) in self.parameters.iter_mut().enumerate() {
            if named(habit) {
                habit.note(&drawn.picks[at], false);
                blamed.push(at);
            }
        }
        if blamed.is_empty() && !self.parameters.is_empty() {
            blamed.push(draw.below(self.parameters.len()));
        }
        blamed
    }

    /// Draws those arguments anew that are to blame.
    pub fn redraw(&self, all: &[Habits], drawn: &mut Drawn, blamed: &Blamed, sizes: &[i64], draw: &mut Draw) {
        for &at in blamed {
            let habit = &self.parameters[at];
            let choice = drawn.picks[at].choice;
            (drawn.arguments[at], drawn.picks[at]) = match habit.choices[choice] {
                // Giving up a form for its numbers would leave those that seldom fit.
                Choice::Numbers(_) if draw.chance(KEPT) => habit.make(all, choice, sizes, draw),
                _ => habit.draw(all, sizes, draw),
            };
        }
    }

    /// Any value for one parameter, valid or not; `None` leaves it out.
    pub fn any(&self, all: &[Habits], slot: usize, sizes: &[i64], draw: &mut Draw) -> Option<Given> {
        let habit = &self.parameters[slot];
        let at = draw.below(habit.choices.len() + habit.faults.len() + 1);
        match at.checked_sub(habit.choices.len()) {
            None => habit.given(all, at, &[Odds::default(); NUMBERS], sizes, &mut SmallVec::new(), draw),
            Some(fault) => habit.faults.get(fault).cloned(),
        }
    }

    /// Takes other numbers into arguments that were drawn.
    pub fn adopt(&self, drawn: &mut Drawn, arguments: Vec<Option<Given>>) {
        for ((habit, picked), argument) in self.parameters.iter().zip(&mut drawn.picks).zip(&arguments) {
            let place = |number: &i64| (number - LOWEST) as u8;
            match (argument, &habit.choices[picked.choice]) {
                (Some(Given::Int(number)), Choice::Numbers(_)) => picked.numbers[0] = place(number),
                (Some(Given::Ints(numbers)), Choice::Numbers(_)) if !picked.numbers.is_empty() => {
                    picked.numbers = numbers.iter().map(place).collect();
                }
                (Some(given), Choice::Value(old)) if !same(given, old) => {
                    let found = habit.choices.iter().position(|choice| match choice {
                        Choice::Value(other) => same(given, other),
                        _ => false,
                    });
                    picked.choice = found.unwrap_or(picked.choice);
                }
                _ => {}
            }
        }
        drawn.arguments = arguments;
    }

    /// Takes note of what became of a call.
    pub fn note(&mut self, drawn: &Drawn, worked: bool) {
        let facts = self.facts(drawn);
        self.novelty.note(&facts, worked);
        for (habit, picked) in self.parameters.iter_mut().zip(&drawn.picks) {
            habit.note(picked, worked);
        }
    }

    /// Forgets what came together, and keeps what worked.
    pub fn forget(&mut self) {
        self.novelty = Novelty::default();
    }

    /// Per parameter, how many of its choices worked, of how many.
    pub fn variety(&self) -> Vec<(usize, usize)> {
        let count =
            |habit: &Habit| (habit.odds.iter().filter(|odds| odds.worked()).count(), habit.odds.len());
        self.parameters.iter().map(count).collect()
    }
}

impl Habit {
    fn new(parameter: &Parameter, absent: &[&str], floats: Kind) -> Habit {
        let mut choices = Vec::new();
        if !matches!(parameter.default, Preset::Required) {
            choices.push(Choice::Leave);
        }
        let integers = || (LOWEST..LOWEST + NUMBERS as i64).map(Given::Int);
        match parameter.kind {
            ParameterKind::Int => choices.extend(integers().map(Choice::Value)),
            ParameterKind::Ints => choices.extend(FORMS.iter().map(|&form| Choice::Numbers(form))),
            ParameterKind::Float => {
                choices.extend(REALS.iter().map(|&value| Choice::Value(Given::Float(floats.round(value)))));
            }
            ParameterKind::Floats => choices.extend((1..=4).map(Choice::Reals)),
            ParameterKind::Flag => choices.extend((0..2).map(|flag| Choice::Value(Given::Int(flag)))),
            ParameterKind::Word(words) => {
                choices.extend(words.iter().map(|&word| Choice::Value(Given::Text(word.into()))));
            }
            ParameterKind::Operators(find) => {
                let takes = |at: &usize| {
                    let name = ALL[*at].operator.name;
                    find(name).is_some() && !absent.contains(&name)
                };
                choices.extend((0..ALL.len()).filter(takes).map(Choice::Layer));
            }
            // Only examples show them.
            ParameterKind::Type | ParameterKind::Text | ParameterKind::Words(_) => {}
        }
        let odds = vec![Odds::default(); choices.len()];
        let quoted = format!("`{}`", parameter.name);
        Habit { quoted, choices, odds, numbers: [Odds::default(); NUMBERS], faults: Vec::new(), floats }
    }

    /// A value that an example shows.
    fn learn(&mut self, given: Option<Given>, fails: bool) {
        let Some(given) = given.map(|given| self.rounded(given)) else { return };
        let is_known = self.choices.iter().any(|choice| match choice {
            Choice::Value(other) => same(other, &given),
            _ => false,
        });
        if fails {
            self.faults.push(given);
        } else if !is_known && !matches!(given, Given::Int(_)) {
            self.choices.push(Choice::Value(given));
            self.odds.push(Odds::default());
        }
    }

    fn rounded(&self, given: Given) -> Given {
        match given {
            Given::Float(value) => Given::Float(self.floats.round(value)),
            Given::Floats(values) => {
                Given::Floats(values.into_iter().map(|value| self.floats.round(value)).collect())
            }
            other => other,
        }
    }

    fn draw(&self, all: &[Habits], sizes: &[i64], draw: &mut Draw) -> (Option<Given>, Picked) {
        // What can be left out is the first choice.
        let from = usize::from(matches!(self.choices[0], Choice::Leave));
        let leave = from == 1 && (self.choices.len() == 1 || draw.chance(LEFT_OUT));
        let choice = if leave { 0 } else { from + pick_evenly(&self.odds[from..], draw) };
        self.make(all, choice, sizes, draw)
    }

    fn make(&self, all: &[Habits], choice: usize, sizes: &[i64], draw: &mut Draw) -> (Option<Given>, Picked) {
        let mut numbers = SmallVec::new();
        let given = self.given(all, choice, &self.numbers, sizes, &mut numbers, draw);
        (given, Picked { choice, numbers })
    }

    /// What a choice comes to, its numbers drawn by these odds.
    fn given(
        &self,
        all: &[Habits],
        choice: usize,
        odds: &[Odds; NUMBERS],
        sizes: &[i64],
        picked: &mut SmallVec<[u8; 8]>,
        draw: &mut Draw,
    ) -> Option<Given> {
        Some(match &self.choices[choice] {
            Choice::Leave => return None,
            Choice::Value(given) => given.clone(),
            Choice::Numbers(form) => form.fill(sizes, odds, picked, draw),
            Choice::Layer(inner) => {
                // Mostly it sees one axis less than the layer that calls it.
                let mut sizes: SmallVec<[i64; 6]> = sizes.iter().copied().collect();
                if sizes.len() > 2 {
                    sizes.remove(1);
                }
                let count = if draw.chance(85) { 1 } else { 2 };
                let Layer { operator, takes, .. } = ALL[*inner];
                let calls = (0..count).map(|_| {
                    let mut arguments = all[*inner].draw_any(all, &sizes, 0, draw).arguments;
                    // What wraps a layer calls it with tensors alone.
                    for (parameter, argument) in operator.parameters.iter().zip(&mut arguments) {
                        if takes.contains(&parameter.name) {
                            *argument = None;
                        }
                    }
                    (operator, arguments)
                });
                Given::Operators(calls.collect())
            }
            Choice::Reals(count) => Given::Floats(
                (0..*count).map(|_| self.floats.round(REALS[draw.below(REALS.len())])).collect(),
            ),
        })
    }

    fn note(&mut self, picked: &Picked, worked: bool) {
        self.odds[picked.choice].note(worked);
        picked.numbers.iter().for_each(|&number| self.numbers[usize::from(number)].note(worked));
    }
}

impl Form {
    fn fill(
        self,
        sizes: &[i64],
        odds: &[Odds; NUMBERS],
        picked: &mut SmallVec<[u8; 8]>,
        draw: &mut Draw,
    ) -> Given {
        let rank = sizes.len();
        let after = &sizes[sizes.len().min(1)..];
        let mut number = |draw: &mut Draw| {
            let at = pick(odds, draw);
            picked.push(at as u8);
            LOWEST + at as i64
        };
        let count = match self {
            Form::One => return Given::Int(number(draw)),
            Form::Many(count) => count,
            Form::PerAxis(less) => rank.saturating_sub(less),
            Form::PerSide => 2 * rank.saturating_sub(2),
            Form::Order => return Given::Ints(shuffled((1..rank as i64).collect(), draw)),
            Form::Axes => {
                let mut axes = shuffled((0..rank as i64).collect(), draw);
                axes.truncate(draw.between(1, 3) as usize);
                axes.iter_mut().for_each(|axis| *axis -= if draw.chance(40) { rank as i64 } else { 0 });
                return Given::Ints(axes);
            }
            Form::Factors => return Given::Ints(factors(after.iter().product(), draw)),
            Form::Sizes => return Given::Ints(after[draw.below(after.len() + 1)..].to_vec()),
        };
        let mut numbers: Vec<i64> = (0..count.min(8)).map(|_| number(draw)).collect();
        // The same two numbers around each axis, this way or the other way round: no shape tells the axes apart.
        if matches!(self, Form::PerSide) && numbers.len() > 2 && draw.chance(MIRRORED) {
            for at in (2..numbers.len()).step_by(2) {
                let turned = usize::from(draw.chance(70));
                for side in 0..2 {
                    numbers[at + side] = numbers[side ^ turned];
                    picked[at + side] = picked[side ^ turned];
                }
            }
        }
        Given::Ints(numbers)
    }
}

/// Whether there are different numbers.
fn differ(numbers: &[i64]) -> bool {
    numbers.windows(2).any(|pair| pair[0] != pair[1])
}

/// Whether there are two different numbers around one axis, and the same the other way round around the next.
fn mirror(numbers: &[i64]) -> bool {
    let pairs = numbers.chunks_exact(2);
    numbers.len().is_multiple_of(2)
        && pairs.clone().zip(pairs.skip(1)).any(|(a, b)| a[0] != a[1] && a[0] == b[1] && a[1] == b[0])
}

/// Of a hundred lists with two numbers for each axis, so many have the same two around each.
const MIRRORED: u64 = 50;

/// An argument that is known, as what belongs to no arena.
pub(crate) fn owned(argument: &Argument) -> Option<Given> {
    let known = |dims: &[Dim]| dims.iter().map(|dim| dim.known()).collect::<Option<_>>();
    Some(match argument {
        Argument::Int(dim) => Given::Int(dim.known()?),
        Argument::Ints(dims) => Given::Ints(known(dims)?),
        Argument::Float(value) => Given::Float(*value),
        Argument::Floats(values) => Given::Floats(values.clone()),
        Argument::Flag(prop) => Given::Int(prop.known()?.into()),
        Argument::Type(kind) => Given::Type(*kind),
        Argument::Text(text) => Given::Text(text.clone()),
        Argument::Texts(texts) => Given::Texts(texts.clone()),
        Argument::Operators(operators) => {
            let each = operators.iter().map(|prepared| {
                let own = prepared.arguments.iter().map(|argument| match argument {
                    Some(argument) => owned(argument).map(Some),
                    None => Some(None),
                });
                Some((prepared.operator, own.collect::<Option<Vec<_>>>()?))
            });
            Given::Operators(each.collect::<Option<_>>()?)
        }
        Argument::Unknown(_) => return None,
    })
}

fn same(a: &Given, b: &Given) -> bool {
    let both = |(a, b): (&Option<Given>, &Option<Given>)| match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    match (a, b) {
        (Given::Operators(a), Given::Operators(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|((one, given), (other, others))| {
                    one.name == other.name && given.iter().zip(others).all(both)
                })
        }
        (Given::Int(a), Given::Int(b)) => a == b,
        (Given::Ints(a), Given::Ints(b)) => a == b,
        (Given::Float(a), Given::Float(b)) => a == b,
        (Given::Floats(a), Given::Floats(b)) => a == b,
        (Given::Type(a), Given::Type(b)) => a == b,
        (Given::Text(a), Given::Text(b)) => a == b,
        (Given::Texts(a), Given::Texts(b)) => a == b,
        _ => false,
    }
}

fn shuffled(mut list: Vec<i64>, draw: &mut Draw) -> Vec<i64> {
    for at in (1..list.len()).rev() {
        list.swap(at, draw.below(at + 1));
    }
    list
}

/// Up to four numbers with this product, one of them perhaps left open.
fn factors(product: i64, draw: &mut Draw) -> Vec<i64> {
    let mut rest = product;
    let mut found = Vec::new();
    for _ in 0..draw.between(0, 3) {
        let divisors: SmallVec<[i64; 16]> =
            (1..=rest.min(16)).filter(|divisor| rest % divisor == 0).collect();
        let divisor = draw.pick(&divisors).copied().unwrap_or(1);
        found.push(divisor);
        rest /= divisor;
    }
    found.push(rest);
    if draw.chance(30) {
        let open = draw.below(found.len());
        found[open] = -1;
    }
    shuffled(found, draw)
}
