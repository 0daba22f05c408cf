//! `--assume NAME=VALUE`, and `assume` of a project: what is to be taken for known.

use anyhow::{Context, Result, bail};
use python::asked::{Assumed, Given};
use semantics::dtype::Kind;

/// `batch_size=1..512`, `len(Photos)=1000`, `train.py:12=f32[N,3,32,32]`, `arch=resnet50`.
pub fn assumption(text: &str) -> Result<Assumed> {
    let (name, value) =
        text.split_once('=').with_context(|| format!("--assume {text}: `NAME=VALUE` expected"))?;
    let name = name.trim();
    if name.is_empty() {
        bail!("--assume {text}: a name is missing before `=`");
    }
    if let Some((file, line)) = name.rsplit_once(':')
        && (file.is_empty() || !line.parse::<u32>().is_ok_and(|line| line > 0))
    {
        bail!("--assume {name}: `FILE:LINE` expected, with the number of a line");
    }
    let value = value_of(value.trim()).with_context(|| format!("--assume {name}"))?;
    // An option is called by the name that the program has for it.
    let is_option = name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'));
    let name = if is_option { name.trim_start_matches('-').replace('-', "_") } else { name.to_owned() };
    Ok(Assumed { name, value, always: false })
}

/// The same of a value in a project's file.
pub fn setting(name: &str, value: &toml::Value) -> Result<Assumed> {
    let text = match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(flag) => flag.to_string(),
        _ => bail!("`assume`: `{name}` is a number, a text such as \"1..512\", true or false"),
    };
    assumption(&format!("{name}={text}"))
}

fn value_of(text: &str) -> Result<Given> {
    if let Some((low, high)) = text.split_once("..") {
        let number = |end: &str| -> Result<i64> {
            let end = end.trim_start_matches('=').trim();
            end.parse().with_context(|| format!("`{end}` is not a whole number"))
        };
        let (low, high) = (number(low)?, number(high)?);
        if low > high {
            bail!("{low}..{high} is empty");
        }
        return Ok(if low == high { Given::Number(low) } else { Given::Range(low, high) });
    }
    if let Ok(number) = text.parse() {
        return Ok(Given::Number(number));
    }
    if let Ok(number) = text.parse::<f64>() {
        return Ok(Given::Float(number));
    }
    match text {
        "" => bail!("a value is missing after `=`"),
        "true" | "True" => return Ok(Given::Flag(true)),
        "false" | "False" => return Ok(Given::Flag(false)),
        _ => {}
    }
    match text.split_once('[') {
        Some((kind, sizes)) => {
            let kind =
                Kind::parse(kind.trim()).with_context(|| format!("`{kind}` is not an element type"))?;
            let sizes = sizes.strip_suffix(']').context("`]` is missing")?;
            let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
            let sizes = sizes.map(|size| match size.parse::<i64>() {
                Ok(number) if number < 0 => bail!("a size is not negative"),
                Ok(number) => Ok(Ok(number)),
                Err(_) if size.chars().all(|letter| letter.is_alphanumeric() || letter == '_') => {
                    Ok(Err(size.to_owned()))
                }
                Err(_) => bail!("`{size}` is neither a size nor a name"),
            });
            Ok(Given::Tensor(kind, sizes.collect::<Result<_>>()?))
        }
        None => Ok(Given::Text(text.to_owned())),
    }
}

/// Named sizes that an assumption bounds.
pub fn bounds(assumed: &[Assumed]) -> Vec<(String, i64, i64)> {
    let ranges = assumed.iter().filter_map(|it| match it.value {
        Given::Range(low, high) => Some((it.name.clone(), low, high)),
        _ => None,
    });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbers_ranges_shapes_and_words() {
        let value =
            |text: &str| assumption(text).map(|assumed| assumed.value).map_err(|why| format!("{why:#}"));
        assert_eq!(value("n=3"), Ok(Given::Number(3)));
        assert_eq!(value("n=1..512"), Ok(Given::Range(1, 512)));
        assert_eq!(value("lr=0.1"), Ok(Given::Float(0.1)));
        assert_eq!(value("amp=true"), Ok(Given::Flag(true)));
        assert_eq!(value("arch=vgg"), Ok(Given::Text("vgg".into())));
        assert_eq!(value("a.py:3=f32[N, 4]"), Ok(Given::Tensor(Kind::F32, vec![Err("N".into()), Ok(4)])));
        assert_eq!(value("n=5..2"), Err("--assume n: 5..2 is empty".into()));
        assert_eq!(
            value("n=1..many"),
            Err("--assume n: `many` is not a whole number: invalid digit found in string".into())
        );
        assert!(value("n").is_err() && value("=3").is_err() && value("a.py:x=3").is_err());
    }
}
