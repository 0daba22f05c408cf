//! Conditions between hyper-parameters: `stride <= kernel`, `layers >= 2 and norm == "batch"`.

use crate::choice::Choice;
use anyhow::{Result, bail};
use semantics::dim::Dim;
use semantics::prop::Prop;

/// An expression over hyper-parameters, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Name(String),
    Value(Choice),
    Negative(Box<Expression>),
    Not(Box<Expression>),
    /// `+ - * // % < <= > >= == != and or in`
    Two(&'static str, Box<Expression>, Box<Expression>),
    Several(Vec<Expression>),
    /// `min` or `max`.
    Call(&'static str, Vec<Expression>),
}

/// What an expression comes to where some hyper-parameters are symbols. Belongs to an arena.
#[derive(Clone, Debug)]
pub enum Meaning {
    Number(Dim),
    Truth(Prop),
    /// Something that no symbol can stand for.
    Plain(Choice),
    Several(Vec<Meaning>),
}

/// From weak to strong.
const STRENGTHS: [&[&str]; 5] =
    [&["or"], &["and"], &["<=", ">=", "==", "!=", "<", ">", "in"], &["+", "-"], &["*", "//", "%"]];

impl Expression {
    pub fn parse(text: &str) -> Result<Expression> {
        let words = words(text)?;
        let mut parser = Parser { words: &words, place: 0 };
        let expression = parser.level(0)?;
        match parser.words.get(parser.place) {
            Some(word) => bail!("`{text}`: `{word}` is one too many"),
            None => Ok(expression),
        }
    }
    /// The hyper-parameters it speaks of.
    pub fn names(&self, found: &mut Vec<String>) {
        match self {
            Expression::Name(name) => found.push(name.clone()),
            Expression::Value(_) => {}
            Expression::Negative(inner) | Expression::Not(inner) => inner.names(found),
            Expression::Two(_, a, b) => [a, b].into_iter().for_each(|part| part.names(found)),
            Expression::Several(parts) | Expression::Call(_, parts) => {
                parts.iter().for_each(|part| part.names(found));
            }
        }
    }
    /// Its value in the current arena; `given` says what each hyper-parameter is.
    pub fn meaning(&self, given: &dyn Fn(&str) -> Option<Meaning>) -> Result<Meaning> {
        Ok(match self {
            Expression::Name(name) => match given(name) {
                Some(meaning) => meaning,
                None => bail!("`{name}` is no hyper-parameter of the space"),
            },
            Expression::Value(choice) => Meaning::of(choice),
            Expression::Negative(inner) => Meaning::Number(-inner.meaning(given)?.number()?),
            Expression::Not(inner) => Meaning::Truth(!inner.meaning(given)?.truth()?),
            Expression::Several(parts) => {
                Meaning::Several(parts.iter().map(|part| part.meaning(given)).collect::<Result<_>>()?)
            }
            Expression::Call(name, parts) => {
                let mut all = parts.iter().map(|part| part.meaning(given)?.number());
                let Some(first) = all.next() else { bail!("`{name}()` has nothing to choose from") };
                let join =
                    |held: Dim, next: Dim| if *name == "min" { held.min(next) } else { held.max(next) };
                Meaning::Number(all.try_fold(first?, |held, next| Ok::<_, anyhow::Error>(join(held, next?)))?)
            }
            Expression::Two(sign, a, b) => two(sign, a.meaning(given)?, b.meaning(given)?)?,
        })
    }
}

fn two(sign: &str, a: Meaning, b: Meaning) -> Result<Meaning> {
    let truth = |prop: Prop| Ok(Meaning::Truth(prop));
    match sign {
        "and" => return truth(a.truth()? & b.truth()?),
        "or" => return truth(Prop::any([a.truth()?, b.truth()?])),
        "==" => return truth(a.same(&b)),
        "!=" => return truth(!a.same(&b)),
        "in" => {
            let Meaning::Several(all) = b else { bail!("after `in` a list is expected") };
            return truth(Prop::any(all.iter().map(|each| a.same(each))));
        }
        _ => {}
    }
    if let (Some(a), Some(b)) = (a.real(), b.real())
        && (a.fract() != 0.0 || b.fract() != 0.0)
    {
        return match sign {
            "<" => truth((a < b).into()),
            "<=" => truth((a <= b).into()),
            ">" => truth((a > b).into()),
            ">=" => truth((a >= b).into()),
            _ => bail!("`{sign}` is for whole numbers"),
        };
    }
    let (a, b) = (a.number()?, b.number()?);
    Ok(match sign {
        "+" => Meaning::Number(a + b),
        "-" => Meaning::Number(a - b),
        "*" => Meaning::Number(a * b),
        "//" => Meaning::Number(a.div_floor(b)),
        "%" => Meaning::Number(a.modulo(b)),
        "<" => Meaning::Truth(a.lt(b)),
        "<=" => Meaning::Truth(a.le(b)),
        ">" => Meaning::Truth(a.gt(b)),
        _ => Meaning::Truth(a.ge(b)),
    })
}

impl Meaning {
    pub fn of(choice: &Choice) -> Meaning {
        match choice {
            Choice::Int(number) => Meaning::Number((*number).into()),
            Choice::Flag(flag) => Meaning::Truth((*flag).into()),
            Choice::Several(all) => Meaning::Several(all.iter().map(Meaning::of).collect()),
            choice => Meaning::Plain(choice.clone()),
        }
    }
    pub fn number(&self) -> Result<Dim> {
        match self {
            Meaning::Number(number) => Ok(*number),
            Meaning::Truth(prop) => Ok(Dim::select(*prop, 1, 0)),
            Meaning::Plain(Choice::Float(number)) if number.fract() == 0.0 && number.abs() < 1e15 => {
                Ok((*number as i64).into())
            }
            _ => bail!("a whole number is expected"),
        }
    }
    pub fn truth(&self) -> Result<Prop> {
        match self {
            Meaning::Truth(prop) => Ok(*prop),
            Meaning::Number(number) => Ok(number.ne(0)),
            _ => bail!("something true or false is expected"),
        }
    }
    fn real(&self) -> Option<f64> {
        match self {
            Meaning::Number(number) => number.known().map(|number| number as f64),
            Meaning::Plain(Choice::Float(number)) => Some(*number),
            _ => None,
        }
    }
    fn same(&self, other: &Meaning) -> Prop {
        match (self, other) {
            (Meaning::Number(a), Meaning::Number(b)) => a.eq(*b),
            (Meaning::Truth(a), Meaning::Truth(b)) => (*a & *b) | (!*a & !*b),
            (Meaning::Plain(a), Meaning::Plain(b)) => a.is_same(b).into(),
            (Meaning::Several(a), Meaning::Several(b)) if a.len() == b.len() => {
                Prop::all(a.iter().zip(b).map(|(a, b)| a.same(b)))
            }
            (a, b) => match (a.real(), b.real()) {
                (Some(a), Some(b)) => (a == b).into(),
                _ => false.into(),
            },
        }
    }
}

fn words(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' || first == '\'' {
            match rest[1..].find(first) {
                Some(end) => end + 2,
                None => bail!("`{text}`: the end of {rest} is missing"),
            }
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '.'))
                .unwrap_or(rest.len())
        } else if ["//", "<=", ">=", "==", "!="].iter().any(|sign| rest.starts_with(sign)) {
            2
        } else if "+-*%<>()[],".contains(first) {
            1
        } else {
            bail!("`{text}`: `{first}` has no meaning here");
        };
        words.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(words)
}

struct Parser<'w> {
    words: &'w [String],
    place: usize,
}

impl Parser<'_> {
    fn takes(&mut self, word: &str) -> bool {
        let is_next = self.words.get(self.place).is_some_and(|next| next == word);
        self.place += usize::from(is_next);
        is_next
    }
    fn level(&mut self, strength: usize) -> Result<Expression> {
        let Some(signs) = STRENGTHS.get(strength) else { return self.single() };
        if *signs == ["and"] && self.takes("not") {
            return Ok(Expression::Not(Box::new(self.level(2)?)));
        }
        let mut held = self.level(strength + 1)?;
        let mut chained: Option<Expression> = None;
        while let Some(sign) = signs.iter().find(|sign| self.takes(sign)) {
            let next = match *signs == ["and"] && self.takes("not") {
                true => Expression::Not(Box::new(self.level(2)?)),
                false => self.level(strength + 1)?,
            };
            if strength == 2 {
                // `1 <= a < b` is what Python means by it.
                let link = Expression::Two(sign, Box::new(held), Box::new(next.clone()));
                chained = Some(match chained {
                    Some(before) => Expression::Two("and", Box::new(before), Box::new(link)),
                    None => link,
                });
                held = next;
            } else {
                held = Expression::Two(sign, Box::new(held), Box::new(next));
            }
        }
        Ok(chained.unwrap_or(held))
    }
    fn single(&mut self) -> Result<Expression> {
        if self.takes("-") {
            return Ok(Expression::Negative(Box::new(self.single()?)));
        }
        let Some(word) = self.words.get(self.place) else { bail!("an expression ends too early") };
        self.place += 1;
        match word.as_str() {
            "(" => {
                let inner = self.level(0)?;
                return if self.takes(")") { Ok(inner) } else { bail!("`)` is missing") };
            }
            "[" => return Ok(Expression::Several(self.until("]")?)),
            "True" | "true" => return Ok(Expression::Value(Choice::Flag(true))),
            "False" | "false" => return Ok(Expression::Value(Choice::Flag(false))),
            "None" => return Ok(Expression::Value(Choice::Nothing)),
            "not" => return Ok(Expression::Not(Box::new(self.level(2)?))),
            "min" | "max" if self.takes("(") => {
                let name = if word == "min" { "min" } else { "max" };
                return Ok(Expression::Call(name, self.until(")")?));
            }
            _ => {}
        }
        if let Some(text) = word.strip_prefix(['"', '\'']) {
            return Ok(Expression::Value(Choice::Text(text[..text.len() - 1].to_owned())));
        }
        if let Ok(number) = word.parse() {
            return Ok(Expression::Value(Choice::Int(number)));
        }
        if let Ok(number) = word.parse() {
            return Ok(Expression::Value(Choice::Float(number)));
        }
        match word.chars().next() {
            Some(first) if first.is_alphabetic() || first == '_' => Ok(Expression::Name(word.clone())),
            _ => bail!("`{word}` stands where a value is expected"),
        }
    }
    fn until(&mut self, end: &str) -> Result<Vec<Expression>> {
        let mut all = Vec::new();
        while !self.takes(end) {
            all.push(self.level(0)?);
            if !self.takes(",") {
                return if self.takes(end) { Ok(all) } else { bail!("`{end}` is missing") };
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, given: &[(&str, Choice)]) -> Result<Option<bool>, String> {
        semantics::arena::scope(|| {
            let of = |name: &str| given.iter().find(|(known, _)| *known == name).map(|(_, c)| Meaning::of(c));
            let meaning = Expression::parse(text).and_then(|expression| expression.meaning(&of));
            meaning.and_then(|meaning| meaning.truth()).map(Prop::known).map_err(|why| format!("{why:#}"))
        })
    }

    #[test]
    fn conditions_mean_what_python_means() {
        let given = [
            ("k", Choice::Int(3)),
            ("norm", Choice::Text("batch".into())),
            ("p", Choice::Float(0.5)),
            ("bias", Choice::Flag(true)),
        ];
        for (text, expected) in [
            ("k <= 3", true),
            ("1 <= k < 3", false),
            ("k % 2 == 1 and norm == \"batch\"", true),
            ("not bias or k == 4", false),
            ("norm in ['layer', 'batch']", true),
            ("p < 0.6", true),
            ("max(k, 5) - 2 * k == -1", true),
            ("(k + 1) // 2 != 2", false),
            ("bias and not k == 4", true),
        ] {
            assert_eq!(holds(text, &given), Ok(Some(expected)), "{text}");
        }
        for text in ["k <=", "k < width", "(k", "k $ 3", "norm < 3", "k k"] {
            assert!(holds(text, &given).is_err(), "{text}");
        }
    }
}
