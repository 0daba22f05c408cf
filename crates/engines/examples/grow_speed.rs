//! How fast models grow, where the time goes, and what they cover: `cargo run --example grow_speed [COUNT] [SEED]`.

use engines::grow::{Grower, Options};

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let (count, seed) = (arguments.next().unwrap_or(2000), arguments.next().unwrap_or(1));
    let mut grower = Grower::new(seed, Options::default());
    let start = seconds();
    let mut nodes = 0;
    for _ in 0..count {
        nodes += grower.next().map_or(0, |case| case.program.graph.nodes.len());
    }
    let spent = seconds() - start;
    println!("{count} models, {nodes} nodes, {spent:.2} s, {:.0} models/s", count as f64 / spent);
    let (occurred, possible) = grower.coverage.pairs();
    println!("pairs {occurred} of {possible}");
    for (number, (name, variety)) in grower.variety().enumerate() {
        println!(
            "{name}: {} calls, given {:?}, {variety:?}",
            grower.coverage.calls[number], grower.coverage.given[number]
        );
    }
    let start = seconds();
    for _ in 0..count {
        grower.next_invalid();
    }
    let spent = seconds() - start;
    let kinds = grower.faults.len();
    let (mut mended, mut slowest) = (0, 0.0f64);
    let start = seconds();
    for _ in 0..count {
        let invalid = grower.next_invalid();
        let start = seconds();
        let proposals = engines::repair::repair(&invalid.program);
        let spent = seconds() - start;
        if spent > 0.1 {
            let node = &invalid.program.graph.nodes[invalid.node];
            println!("slow: {spent:.2} s {}: {}", node.place.node, invalid.label);
        }
        slowest = slowest.max(spent);
        let one = proposals.first().is_some_and(|proposal| proposal.changes.len() == 1);
        mended += usize::from(one);
        if !one {
            let node = &invalid.program.graph.nodes[invalid.node];
            println!(
                "not mended: {}: {}, {} proposals, {:?}",
                node.place.node,
                invalid.label,
                proposals.len(),
                invalid.change
            );
        }
    }
    println!(
        "{mended} of {count} mended, {:.4} s on average, {slowest:.3} s at most",
        (seconds() - start) / count as f64
    );
    println!("{count} invalid models, {spent:.2} s, {kinds} kinds of faults");
    for layer in layers::layers::ALL {
        for label in layer.operator.examples.iter().filter_map(|text| Some(text.split_once("fails: ")?.1)) {
            if !grower.faults.keys().any(|(name, other)| *name == layer.operator.name && *other == label) {
                println!("never broken: {}: {label}", layer.operator.name);
            }
        }
    }
    let mut lost = grower.lost.clone();
    lost.sort();
    lost.dedup();
    lost.iter().for_each(|(layer, why)| println!("lost {layer}: {why}"));
}

/// The CPU time of this thread, where the system tells it.
fn seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ').next().and_then(|spent| spent.parse::<f64>().ok()).unwrap_or_default() * 1e-9
}
