// Compiles the contracts of src/ with the solc of node_modules into artifacts/, one small JSON file per contract.
// With --check the result is compared byte for byte with the committed artifacts, and nothing is written.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import solc from "solc";

const CONTRACTS = ["FirmquotePool", "FirmquoteVerifiedPool", "InvariantHarness", "MockAggregator", "TestToken", "WrappedNative"];

const SETTINGS = {
  evmVersion: "prague",
  // Without a hash of the metadata the bytecode does not depend on comments or on where the sources lie.
  metadata: { bytecodeHash: "none" },
  optimizer: { enabled: true, runs: 200 },
};

const root = fileURLToPath(new URL(".", import.meta.url));
const artifactsFolder = join(root, "artifacts");

/** Stops with a message on standard error and exit status 1. */
function fail(lines) {
  console.error(lines.join("\n"));
  process.exit(1);
}

/** The sources of src/, keyed by the name under which they import each other. */
function readSources() {
  const names = readdirSync(join(root, "src")).filter((name) => name.endsWith(".sol"));
  return Object.fromEntries(
    names.sort().map((name) => [`src/${name}`, { content: readFileSync(join(root, "src", name), "utf8") }]),
  );
}

/** The compiler's import callback: everything that is not in src/ comes from node_modules. */
function findImport(name) {
  try {
    return { contents: readFileSync(join(root, "node_modules", name), "utf8") };
  } catch (error) {
    return { error: error.message };
  }
}

/** Compiles everything; a warning, also one about a dependency, is an error. */
function compile() {
  const input = {
    language: "Solidity",
    sources: readSources(),
    settings: {
      ...SETTINGS,
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }));
  const complaints = (output.errors ?? []).filter(({ severity }) => severity !== "info");
  if (complaints.length > 0) {
    fail(complaints.map(({ formattedMessage }) => formattedMessage));
  }
  return output.contracts;
}

/** The artifact files by name, as text. */
function render(compiled) {
  return new Map(
    CONTRACTS.map((contract) => {
      const { abi, evm } = compiled[`src/${contract}.sol`][contract];
      const artifact = {
        contract,
        solc: solc.version(),
        settings: SETTINGS,
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
      };
      return [`${contract}.json`, `${JSON.stringify(artifact, null, 2)}\n`];
    }),
  );
}

/** The committed artifact files by name, as text. */
function readArtifacts() {
  const names = existsSync(artifactsFolder) ? readdirSync(artifactsFolder) : [];
  return new Map(names.map((name) => [name, readFileSync(join(artifactsFolder, name), "utf8")]));
}

function build(rendered) {
  rmSync(artifactsFolder, { recursive: true, force: true });
  mkdirSync(artifactsFolder);
  for (const [name, text] of rendered) {
    writeFileSync(join(artifactsFolder, name), text);
  }
  console.log(`wrote ${rendered.size} artifacts`);
}

function check(rendered) {
  const committed = readArtifacts();
  const findings = [];
  for (const [name, text] of rendered) {
    if (!committed.has(name)) findings.push(`missing: artifacts/${name}`);
    else if (committed.get(name) !== text) findings.push(`differs: artifacts/${name}`);
  }
  for (const name of committed.keys()) {
    if (!rendered.has(name)) findings.push(`extra: artifacts/${name}`);
  }
  if (findings.length > 0) fail(findings);
  console.log(`${rendered.size} artifacts are what the sources compile to`);
}

const options = process.argv.slice(2);
if (options.some((option) => option !== "--check")) fail(["usage: node compile.mjs [--check]"]);
const rendered = render(compile());
if (options.length > 0) check(rendered);
else build(rendered);
