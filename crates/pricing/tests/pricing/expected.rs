//! Compares the results for 200,000 random states with the recorded ones.
//!
//! `expected/` contains a digest of each block of results, and a digest of the sources that computed them. When
//! recorded, every result was checked against the [`reference`] and with Python's decimal module
//! (`expected/verify.py`). A run compares all results with the digests and checks a sample against the reference; if
//! the sources have changed, it checks all of them, which takes minutes. To record the results of changed sources:
//!
//! ```sh
//! FIRMQUOTE_RECORD_PRICES=1 cargo test -p firmquote-pricing --test pricing expected
//! ```
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "a test that takes minutes says why")]

use std::{
    env,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    slice,
};

use firmquote_domain::Amount;
use firmquote_pricing::{PairAsset, PairState, PricingError, input_for, output_for};
use rand::RngExt as _;
use sha2::{Digest as _, Sha256};

use crate::{
    reference::{check_input, check_output},
    states::{self, STATES},
};

/// The number of states per digest.
const BLOCK: usize = 500;

/// The inverse of the fraction of states that are checked against the reference in every run.
const SAMPLE: u32 = 50;

/// Set to record the results instead of comparing them.
const RECORD: &str = "FIRMQUOTE_RECORD_PRICES";

type PriceResult = Result<Amount, PricingError>;

/// A state, the amount that the client fixes, and the result.
type Case = (PairState, Amount, PriceResult);

/// The function to evaluate in each state: the output for an input, or the input for an output.
struct Function {
    /// The file of the recorded digests in `expected/`, and the argument of `verify.py`.
    name: &'static str,
    seed: u64,
    /// The reserve that bounds the size of the trade.
    reserve: fn(&PairState) -> Amount,
    result: fn(&PairState, Amount) -> PriceResult,
    check: fn(&PairState, Amount, PriceResult),
}

const OUTPUTS: Function =
    Function { name: "outputs", seed: 1, reserve: |pair| pair.input.reserve, result: output_for, check: check_output };

const INPUTS: Function =
    Function { name: "inputs", seed: 2, reserve: |pair| pair.output.reserve, result: input_for, check: check_input };

impl Function {
    fn cases(&self) -> Vec<Case> {
        let mut rng = states::generator(self.seed);
        let mut draw = || {
            let pair = states::state(&mut rng);
            let amount = states::trade(&mut rng, (self.reserve)(&pair));
            (pair, amount, (self.result)(&pair, amount))
        };
        (0..STATES).map(|_| draw()).collect()
    }

    fn file(&self) -> PathBuf {
        folder("tests/pricing/expected").join(self.name)
    }

    /// Records the results, or compares them with the recorded ones. Returns the number of states that have a price.
    fn run(&self) -> usize {
        let cases = self.cases();
        let actual = digests(cases.iter().map(line));
        if env::var_os(RECORD).is_some() {
            self.check_all(&cases);
            self.check_with_python(&cases);
            fs::write(self.file(), actual).unwrap();
        } else {
            self.compare(&cases, &actual);
        }
        cases.iter().filter(|(_, _, result)| result.is_ok()).count()
    }

    /// Compares the results with the recorded ones, and checks a sample, or all if the sources have changed.
    fn compare(&self, cases: &[Case], actual: &str) {
        let expected = fs::read_to_string(self.file()).unwrap();
        let mut lines = expected.lines().zip(actual.lines());
        if lines.next().is_some_and(|(expected, actual)| expected == actual) {
            let mut rng = states::generator(self.seed << 32);
            cases.iter().filter(|_| rng.random_ratio(1, SAMPLE)).for_each(|case| self.check_all(slice::from_ref(case)));
        } else {
            eprintln!("the sources have changed: all {STATES} {} are checked against the reference", self.name);
            self.check_all(cases);
        }
        for (block, (expected, actual)) in cases.chunks(BLOCK).zip(lines) {
            if expected != actual {
                self.check_all(block);
                panic!("the states or the limits in errors have changed: the reference agrees with each result");
            }
        }
        assert_eq!(expected.lines().count(), actual.lines().count());
    }

    /// Checks results against the reference.
    fn check_all(&self, cases: &[Case]) {
        cases.iter().for_each(|(pair, amount, result)| (self.check)(pair, *amount, *result));
    }

    /// Checks all results with Python's decimal module.
    fn check_with_python(&self, cases: &[Case]) {
        let script = folder("tests/pricing/expected").join("verify.py");
        let mut verify = Command::new("python3").arg(script).arg(self.name).stdin(Stdio::piped()).spawn().unwrap();
        let lines: String = cases.iter().map(line).collect();
        verify.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        assert!(verify.wait().unwrap().success(), "Python's decimal module disagrees");
    }
}

/// Formats a state with its fixed amount and result as `verify.py` reads them.
fn line((pair, amount, result): &Case) -> String {
    let side = |PairAsset { reserve, price, weight, decimals }: PairAsset| {
        format!("{reserve} {} {} {}", price.steps(), weight.get(), decimals.get())
    };
    let result = match result {
        Ok(amount) => amount.to_string(),
        Err(PricingError::TooSmall { limit }) => format!("small {limit}"),
        Err(PricingError::TooLarge { limit }) => format!("large {limit}"),
        Err(PricingError::Empty) => "empty".to_owned(),
        Err(PricingError::Undecided) => "undecided".to_owned(),
    };
    let (input, output) = (side(pair.input), side(pair.output));
    format!("{input} {output} {} {} {amount} {result}\n", pair.k.steps(), pair.fee.hundredths())
}

/// Returns the content of a file in `expected/` for these lines: a digest of the sources, and one of each block of
/// lines.
fn digests(lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    let mut text = format!("{}\n", digest(&sources(&folder("src"))));
    for block in lines.chunks(BLOCK) {
        writeln!(text, "{}", digest(&block.concat())).unwrap();
    }
    text
}

fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the concatenated files of a folder without comments, in the order of their paths.
fn sources(folder: &Path) -> String {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let text = |path: &PathBuf| if path.is_dir() { sources(path) } else { code(&fs::read_to_string(path).unwrap()) };
    entries.iter().map(text).collect()
}

/// Returns the lines of a source file except comments.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect()
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn outputs_are_the_floor_of_the_real_solution() {
    let priced = OUTPUTS.run();
    assert!(priced > 50_000, "only {priced} states had a price");
}

#[test]
fn inputs_are_the_ceiling_of_the_real_solution() {
    let priced = INPUTS.run();
    assert!(priced > 50_000, "only {priced} states had a price");
}
