//! Links the program to a fixed address where that is the system's older custom. A program that may be put anywhere
//! has 20,000 addresses to fill in before it starts, which is a good part of what checking a small model takes.

fn main() {
    println!("cargo::rerun-if-env-changed=CARGO_CFG_TARGET_OS");
    let of_target = |name: &str| std::env::var(name).unwrap_or_default();
    if of_target("CARGO_CFG_TARGET_OS") == "linux" && of_target("CARGO_CFG_TARGET_ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
