//! The load harness: starts the real service and the bare handlers in turn, puts load on them over HTTP with wrk, and
//! prints throughput, latency and resource usage. `scripts/load` builds everything and runs it.

mod arguments;
mod baseline;
mod contention;
mod delay;
mod http_client;
mod levels;
mod measure;
mod report;
mod service;
mod usage;
mod wrk;

use clap::Parser as _;

use crate::{
    arguments::{Arguments, Command, Plan},
    measure::{Bench, Operation, Target},
    report::{Samples, tables},
};

fn main() -> anyhow::Result<()> {
    let Arguments { command, plan } = Arguments::parse();
    match command {
        Some(Command::Bare(sizes)) => baseline::serve(sizes),
        Some(Command::Contention(contention)) => contention.table().map(|table| print(&table)),
        Some(Command::Levels(levels)) => levels.table().map(|table| print(&table)),
        None => run(&plan),
    }
}

#[expect(clippy::print_stdout, reason = "the figures are the program's output")]
fn print(tables: &str) {
    println!("{tables}");
}

fn run(plan: &Plan) -> anyhow::Result<()> {
    let bench = Bench::prepare(plan)?;
    let mut samples = Samples::new();
    for _ in 0..plan.rounds {
        for operation in [Operation::Quote, Operation::Sign, Operation::QuoteSign, Operation::QuoteThenSign] {
            for connections in &plan.connections {
                for target in [Target::Bare, Target::Memory, Target::Redis] {
                    if target == Target::Redis && plan.without_redis {
                        continue;
                    }
                    let sample = bench.measure(target, operation, *connections)?;
                    samples.entry((operation, *connections, target)).or_default().push(sample);
                }
            }
        }
    }
    print(&tables(&samples));
    Ok(())
}
