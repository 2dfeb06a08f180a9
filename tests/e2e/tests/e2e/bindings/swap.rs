//! The swap programs of the READMEs, unmodified, on a node: the quoted output is received to the unit.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{fs, process::Command};

use firmquote_domain::U256;
use firmquote_e2e::{
    configuration::SYMBOLS,
    demo::{ETH, USDC},
    endpoint::API_KEY,
    exchange::KEY,
    world::TestEnvironment,
};
use firmquote_signer::{LocalSigner, Signer as _};

use super::{Binding, run};

/// The key of the taker.
const TAKER: &str = "0x7878787878787878787878787878787878787878787878787878787878787878";

/// 100 USDC.
const TOKENS: U256 = U256::from_limbs([100_000_000, 0, 0, 0]);
/// 25 USDC.
const INPUT: u64 = 25_000_000;

/// Writes the program of a README to a file of its package, and returns the command that runs it.
fn program(binding: Binding) -> Command {
    let readme = fs::read_to_string(binding.folder().join("README.md")).unwrap();
    let (start, file) = match binding {
        Binding::TypeScript => ("<!-- swap -->\n```js\n", "build/swap.mjs"),
        Binding::Python => ("```python swap\n", "venv/swap.py"),
    };
    let (_, rest) = readme.split_once(start).unwrap();
    let mut command = binding.interpreter();
    fs::write(binding.folder().join(file), rest.split_once("```").unwrap().0).unwrap();
    command.arg(file);
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn the_readme_swaps_execute_and_none_is_sent_for_another_signer() {
    let world = TestEnvironment::start().await;
    let taker = LocalSigner::from_hex(TAKER).unwrap().address();
    world.provide_native(taker).await;
    world.provide(world.token(USDC), taker, TOKENS).await;
    let signer = LocalSigner::from_hex(KEY).unwrap().address();
    for binding in super::ALL {
        for (signer, executes) in [(taker, false), (signer, true)] {
            let mut command = program(binding);
            command.envs([
                ("FIRMQUOTE_URL", world.service.public().base()),
                ("FIRMQUOTE_API_KEY", API_KEY),
                ("NODE_URL", world.node.url()),
                ("PRIVATE_KEY", TAKER),
                ("POOL_SIGNER", &signer.to_string()),
                ("INPUT_SYMBOL", SYMBOLS[USDC]),
                ("OUTPUT_SYMBOL", SYMBOLS[ETH]),
                ("INPUT_AMOUNT", &INPUT.to_string()),
            ]);
            let before = [USDC, ETH].map(|token| world.token(token));
            let input_before = world.balance(before[0], taker).await;
            let output_before = world.balance(before[1], taker).await;
            let nonce = world.node.nonce(taker).await;
            let output = tokio::task::spawn_blocking(move || run(&mut command)).await.unwrap();
            let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(output.status.success(), executes, "{binding:?}: {}", String::from_utf8_lossy(&output.stderr));
            if !executes {
                assert_eq!(world.node.nonce(taker).await, nonce, "nothing was sent");
                continue;
            }
            assert_eq!(input_before - world.balance(before[0], taker).await, U256::from(INPUT), "{binding:?}");
            let received = (world.balance(before[1], taker).await - output_before).to_string();
            assert!(stdout.contains(&received), "{binding:?}: {received} is not in {stdout}");
        }
    }
}
