//! The examples of `docs/verify-and-send`, unmodified, with the contract files that the service serves: a wallet swaps
//! on a node with both pools, and sends nothing if anything differs from the pinned values.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Output},
    thread,
};

use firmquote_calldata::SwapFunction;
use firmquote_domain::{Address, U256};
use firmquote_e2e::{
    configuration::SYMBOLS,
    demo::{ETH, USDC},
    endpoint::API_KEY,
    evm::CHAIN_ID,
    exchange::KEY,
    world::TestEnvironment,
};
use firmquote_signer::{LocalSigner, Signer as _};
use serde_json::Value;
use tempfile::TempDir;

/// The account of the examples, and its key.
const TAKER: &str = "0x7777777777777777777777777777777777777777777777777777777777777777";

/// 100 USDC.
const TOKENS: U256 = U256::from_limbs([100_000_000, 0, 0, 0]);
/// 25 USDC, for about 0.012 ETH.
const INPUT: u64 = 25_000_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/verify-and-send")
}

/// Returns a directory with the examples, their libraries, and the two files served by the service.
async fn checkout(world: &TestEnvironment) -> TempDir {
    let checkout = TempDir::new().unwrap();
    let at = |name: &str| checkout.path().join(name);
    for name in ["verify-and-send.mjs", "verify_and_send.py", "package.json"] {
        fs::copy(folder().join(name), at(name)).unwrap();
    }
    std::os::unix::fs::symlink(folder().join("node_modules"), at("node_modules")).unwrap();
    for name in ["abi.json", "typed-data.json"] {
        let url = format!("{}/{name}", world.service.public().base());
        fs::write(at(name), reqwest::get(url).await.unwrap().text().await.unwrap()).unwrap();
    }
    checkout
}

/// Returns the environment of both examples, with the variables in `changed` replaced.
fn environment(
    world: &TestEnvironment,
    pool: Address,
    changed: &[(&'static str, &str)],
) -> Vec<(&'static str, String)> {
    let signer = LocalSigner::from_hex(KEY).unwrap().address();
    let mut environment = vec![
        ("FIRMQUOTE_URL", world.service.public().base().to_owned()),
        ("FIRMQUOTE_API_KEY", API_KEY.to_owned()),
        ("NODE_URL", world.node.url().to_owned()),
        ("CHAIN_ID", CHAIN_ID.to_string()),
        ("PRIVATE_KEY", TAKER.to_owned()),
        ("POOL", pool.to_string()),
        ("POOL_SIGNER", signer.to_string()),
        ("DOMAIN_NAME", "Firmquote Test".to_owned()),
        ("DOMAIN_VERSION", "7".to_owned()),
        ("INPUT_SYMBOL", SYMBOLS[USDC].to_owned()),
        ("INPUT_TOKEN", world.token(USDC).to_string()),
        ("OUTPUT_SYMBOL", SYMBOLS[ETH].to_owned()),
        ("OUTPUT_TOKEN", world.token(ETH).to_string()),
        ("INPUT_AMOUNT", INPUT.to_string()),
        ("MIN_OUTPUT_AMOUNT", "11900000000000000".to_owned()),
    ];
    for (name, value) in changed {
        environment.iter_mut().find(|(variable, _)| variable == name).unwrap().1 = (*value).to_owned();
    }
    environment
}

async fn run(program: &[&str], checkout: &TempDir, environment: Vec<(&'static str, String)>) -> Output {
    let mut command = Command::new(program[0]);
    command.args(&program[1..]).current_dir(checkout.path()).envs(environment);
    command.env("NO_PROXY", "127.0.0.1").env("no_proxy", "127.0.0.1");
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn both_examples_swap_only_verified_quotes() {
    let world = TestEnvironment::start().await;
    let checkout = checkout(&world).await;
    let taker = LocalSigner::from_hex(TAKER).unwrap().address();
    world.provide_native(taker).await;
    world.provide(world.token(USDC), taker, TOKENS).await;
    let python = folder().join("venv/bin/python").display().to_string();
    let programs = [&["node", "verify-and-send.mjs"][..], &[&python, "verify_and_send.py"]];
    for program in programs {
        for pool in [world.plain, world.verified] {
            let before = world.balance(world.token(USDC), taker).await;
            let output = run(program, &checkout, environment(&world, pool, &[])).await;
            assert!(output.status.success(), "{program:?}: {}", String::from_utf8_lossy(&output.stderr));
            let paid = before - world.balance(world.token(USDC), taker).await;
            assert_eq!(paid, U256::from(INPUT), "{program:?}");
        }
        let taker_address = taker.to_string();
        for (changed, step) in [
            (("POOL_SIGNER", taker_address.as_str()), "signature"),
            (("DOMAIN_VERSION", "8"), "signature"),
            (("OUTPUT_TOKEN", taker_address.as_str()), "quote"),
            (("MIN_OUTPUT_AMOUNT", "1000000000000000000"), "quote"),
        ] {
            let first = world.node.nonce(taker).await;
            let output = run(program, &checkout, environment(&world, world.verified, &[changed])).await;
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{program:?} {changed:?}: {stderr}");
            assert!(stderr.starts_with(&format!("stopped at the {step}: ")), "{program:?} {changed:?}: {stderr}");
            assert_eq!(world.node.nonce(taker).await, first, "a transaction was sent: {changed:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_example_follows_a_redirect_with_its_api_key() {
    let world = TestEnvironment::start().await;
    let checkout = checkout(&world).await;
    let python = folder().join("venv/bin/python").display().to_string();
    for program in [&["node", "verify-and-send.mjs"][..], &[&python, "verify_and_send.py"]] {
        let [redirecting, elsewhere] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let location = format!("http://{}", elsewhere.local_addr().unwrap());
        let url = format!("http://{}", redirecting.local_addr().unwrap());
        let request = thread::spawn(move || {
            let (mut stream, _) = redirecting.accept().unwrap();
            let mut request = [0; 4096];
            let length = stream.read(&mut request).unwrap();
            let answer = format!("HTTP/1.1 302 Found\r\nlocation: {location}/\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(answer.as_bytes()).unwrap();
            String::from_utf8_lossy(&request[..length]).to_lowercase()
        });
        let output = run(program, &checkout, environment(&world, world.plain, &[("FIRMQUOTE_URL", &url)])).await;
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{program:?}: {stderr}");
        assert!(request.join().unwrap().contains("x-api-key"), "{program:?}: {stderr}");
        elsewhere.set_nonblocking(true).unwrap();
        assert!(elsewhere.accept().is_err(), "{program:?} connected elsewhere: {stderr}");
    }
}

#[test]
fn the_served_abi_matches_the_contract() {
    let read = |path: &str| -> Value {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
    };
    let (served, contract) =
        (read("../../crates/http/src/contract/abi.json"), read("contracts/artifacts/FirmquotePool.json"));
    let shape = |entry: &Value| -> Vec<Value> {
        let types = |list: &Value| -> Vec<Value> {
            let items = list.as_array().cloned().unwrap_or_default();
            items.iter().map(|item| item["type"].clone()).collect()
        };
        let inputs = entry["inputs"].as_array().unwrap();
        let parts = inputs.iter().flat_map(|input| types(&input["components"]));
        [vec![entry["type"].clone(), entry["name"].clone(), entry["stateMutability"].clone()], types(&entry["inputs"])]
            .concat()
            .into_iter()
            .chain(parts)
            .collect()
    };
    let shapes: Vec<_> =
        contract["abi"].as_array().unwrap().iter().filter(|entry| entry["inputs"].is_array()).map(shape).collect();
    let served = served.as_array().unwrap();
    let names: Vec<_> = served.iter().filter_map(|entry| entry["name"].as_str()).collect();
    for function in SwapFunction::ALL {
        assert!(names.contains(&function.name()), "{function:?}");
    }
    assert!(names.contains(&"Swapped"), "{names:?}");
    for entry in served {
        assert!(shapes.contains(&shape(entry)), "{entry}");
    }
}
