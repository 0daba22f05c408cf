//! A page with a picture of a sweep: for pairs of hyper-parameters, how much of the space is valid, and what breaks the
//! rest.

use crate::report::grouped;
use crate::sweep::{Census, Sweep, Tally};
use std::fmt::Write;

/// One colour for each of the most frequent causes, told apart by any eye (Okabe and Ito).
const COLOURS: [&str; 7] = ["#d55e00", "#0072b2", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#5d4037"];
const VALID: &str = "#009e73";
const UNKNOWN: &str = "#b0b0b0";
/// Hyper-parameters that are shown, those that matter most.
const MOST_SHOWN: usize = 4;
/// Edges of diagrams that are looked at in all.
const WORK: usize = 300_000_000;
/// The side of a square, and the room for words beside them.
const SIDE: usize = 30;
const LEFT: usize = 70;
const TOP: usize = 34;

/// The whole page.
pub fn page(name: &str, sweep: &Sweep) -> String {
    let census = sweep.census();
    let mut page = String::new();
    let total = census.total();
    let share = |count: u128| percent(count, total);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<style>{STYLE}</style>\
         </head><body>\n<h1>{0}</h1>\n<p><b>{1}</b> vectors: <b>{2}</b> valid ({3}), <b>{4}</b> invalid ({5})",
        escaped(name),
        grouped(total),
        grouped(census.valid),
        share(census.valid),
        grouped(census.invalid()),
        share(census.invalid()),
    );
    if census.unknown > 0 {
        let _ = write!(page, ", <b>{}</b> not known", grouped(census.unknown));
    }
    if let Some(framework) = &sweep.space.framework {
        let version = framework.version.as_deref().unwrap_or("");
        let _ = write!(page, "; by the rules of {} {version}", escaped(&framework.name));
    }
    page.push_str(
        "</p>\n<p><small>A cell is all vectors with these two values: how many of them are valid (green, below), and what \
         breaks the others. Point at one to read its shares.</small></p>\n<div class=\"maps\">\n",
    );
    maps(sweep, &census).iter().for_each(|map| page.push_str(map));
    page.push_str("</div>\n<h2>Causes</h2>\n<table><tr><th></th><th>vectors</th><th>operator</th><th>what must hold</th><th>for example</th></tr>\n");
    let _ = writeln!(
        page,
        "<tr><td><i style=\"background:{VALID}\"></i></td><td>{}</td><td></td><td>valid</td><td></td></tr>",
        grouped(census.valid)
    );
    for (number, tally) in census.invalid.iter().enumerate() {
        let cause = &tally.cause;
        let values = sweep.space.parameters.iter().zip(&tally.example);
        let example: Vec<String> = values
            .map(|(parameter, &place)| format!("{}={}", parameter.name, parameter.values[place]))
            .collect();
        let _ = writeln!(
            page,
            "<tr><td><i style=\"background:{}\"></i></td><td>{}</td><td>{}<br><small>{}</small></td>\
             <td>{} <small>({})</small><br><code>{}</code></td><td><small>{}</small></td></tr>",
            colour(number),
            grouped(tally.count),
            escaped(&cause.operator),
            escaped(&cause.place),
            escaped(&cause.label),
            escaped(&cause.category),
            escaped(&cause.condition),
            escaped(&example.join(", ")),
        );
    }
    for tally in &census.improper {
        let Tally { cause, count, .. } = tally;
        let _ = writeln!(
            page,
            "<tr><td></td><td>{}</td><td>{}<br><small>{}</small></td><td>{} <small>({}, counted as valid)</small>\
             <br><code>{}</code></td><td></td></tr>",
            grouped(*count),
            escaped(&cause.operator),
            escaped(&cause.place),
            escaped(&cause.label),
            escaped(&cause.category),
            escaped(&cause.condition),
        );
    }
    page.push_str("</table>\n</body></html>\n");
    page
}

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1180px;padding:0 1em;color:#222}\
    h1{font-size:1.4em}h2{font-size:1.1em}.maps{display:flex;flex-wrap:wrap;gap:18px}\
    svg text{font:11px system-ui,sans-serif;fill:#333}table{border-collapse:collapse;width:100%}\
    td,th{border-bottom:1px solid #ddd;padding:5px 8px;text-align:left;vertical-align:top}\
    td:nth-child(2){text-align:right;white-space:nowrap}i{display:inline-block;width:14px;height:14px;border-radius:3px}\
    code{font-size:12px;word-break:break-word}small{color:#666}";

/// A picture for each pair of the hyper-parameters that matter most, as SVG.
pub fn maps(sweep: &Sweep, census: &Census) -> Vec<String> {
    let shown = shown(sweep);
    let pairs = shown.len() * shown.len().saturating_sub(1) / 2;
    let edges = sweep.size().1.max(1);
    let cells = (WORK / edges / pairs.max(1)).clamp(4, 400);
    let most = (cells as f64).sqrt() as usize;
    let mut maps = Vec::new();
    for (number, &down) in shown.iter().enumerate() {
        for &across in &shown[number + 1..] {
            maps.push(map(sweep, census, down, across, most.clamp(2, 20)));
        }
    }
    maps
}

/// The hyper-parameters of which the share of valid vectors depends most.
fn shown(sweep: &Sweep) -> Vec<usize> {
    let parameters = &sweep.space.parameters;
    let mut scored: Vec<(f64, usize)> = Vec::new();
    for (number, parameter) in parameters.iter().enumerate().filter(|(_, it)| it.values.len() > 1) {
        let bins = bins(parameter.values.len(), 8);
        let shares = bins.into_iter().map(|bin| {
            let mut among = vec![None; parameters.len()];
            among[number] = Some(bin);
            let census = sweep.census_where(&among);
            census.valid as f64 / census.total().max(1) as f64
        });
        let shares: Vec<f64> = shares.collect();
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let spread =
            shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / shares.len().max(1) as f64;
        scored.push((spread, number));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut shown: Vec<usize> = scored.into_iter().take(MOST_SHOWN).map(|(_, number)| number).collect();
    shown.sort_unstable();
    shown
}

/// Places put together so that no more than so many are left.
fn bins(count: usize, most: usize) -> Vec<Vec<usize>> {
    let bins = count.min(most.max(1));
    (0..bins).map(|bin| (bin * count / bins..(bin + 1) * count / bins).collect()).collect()
}

fn map(sweep: &Sweep, census: &Census, down: usize, across: usize, most: usize) -> String {
    let parameters = &sweep.space.parameters;
    let of = |number: usize| bins(parameters[number].values.len(), most);
    let named = |number: usize, bin: &[usize]| {
        let value = |place: Option<&usize>| {
            place.map_or(String::new(), |&place| parameters[number].values[place].to_string())
        };
        match bin.len() {
            0 | 1 => value(bin.first()),
            _ => format!("{}–{}", value(bin.first()), value(bin.last())),
        }
    };
    let (rows, columns) = (of(down), of(across));
    let (width, height) = (LEFT + columns.len() * SIDE + 8, TOP + rows.len() * SIDE + 46);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <text x=\"4\" y=\"14\">{} ↓ · {} →</text>\n",
        escaped(&parameters[down].name),
        escaped(&parameters[across].name)
    );
    for (row, row_bin) in rows.iter().enumerate() {
        let y = TOP + row * SIDE;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 5,
            y + SIDE / 2 + 3,
            escaped(&short(&named(down, row_bin)))
        );
        for (column, column_bin) in columns.iter().enumerate() {
            let mut among = vec![None; parameters.len()];
            (among[down], among[across]) = (Some(row_bin.clone()), Some(column_bin.clone()));
            let here = sweep.census_where(&among);
            cell(&mut svg, &here, census, LEFT + column * SIDE, y, &|| {
                format!(
                    "{} = {}, {} = {}",
                    parameters[down].name,
                    named(down, row_bin),
                    parameters[across].name,
                    named(across, column_bin)
                )
            });
        }
    }
    for (column, bin) in columns.iter().enumerate() {
        let (x, y) = (LEFT + column * SIDE + SIDE / 2, TOP + rows.len() * SIDE + 12);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" transform=\"rotate(-45 {x} {y})\">{}</text>",
            escaped(&short(&named(across, bin)))
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// A square: green from below as far as vectors are valid, above it the colours of what breaks the others.
fn cell(svg: &mut String, here: &Census, all: &Census, x: usize, y: usize, name: &dyn Fn() -> String) {
    let total = here.total();
    let mut parts: Vec<(String, u128, String)> = vec![(VALID.into(), here.valid, "valid".into())];
    for tally in &here.invalid {
        let number = all.invalid.iter().position(|held| held.cause == tally.cause).unwrap_or(usize::MAX);
        parts.push((
            colour(number).into(),
            tally.count,
            format!("{}: {}", tally.cause.operator, tally.cause.label),
        ));
    }
    parts.push((UNKNOWN.into(), here.unknown, "not known".into()));
    let mut told = name();
    // What lies between makes rows and columns of bars tell apart.
    let side = SIDE as f64 - 3.0;
    let mut bottom = y as f64 + side;
    let _ = write!(svg, "<g>");
    for (colour, count, what) in parts.into_iter().filter(|(_, count, _)| *count > 0) {
        let share = count as f64 / total as f64;
        let _ = write!(told, "\n{} {what}", percent(count, total));
        bottom -= share * side;
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{bottom:.2}\" width=\"{side}\" height=\"{:.2}\" fill=\"{colour}\"/>",
            share * side
        );
    }
    let _ = writeln!(svg, "<title>{}</title></g>", escaped(&told));
}

fn colour(number: usize) -> &'static str {
    COLOURS.get(number).copied().unwrap_or("#333333")
}
fn percent(count: u128, total: u128) -> String {
    format!("{:.1} %", 100.0 * count as f64 / total.max(1) as f64)
}
fn short(text: &str) -> String {
    let count = text.chars().count();
    if count <= 10 { text.to_owned() } else { text.chars().take(9).chain(['…']).collect() }
}
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
