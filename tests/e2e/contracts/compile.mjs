// Compiles the contracts of src/ with the solc of node_modules into artifacts/, one small JSON file per contract.
// Creation code goes, as hex, also to the packages that are tested alone and read nothing outside themselves.
// With --check nothing is written: the result is compared byte for byte with the committed files.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import solc from "solc";

const CONTRACTS = ["FirmquotePool", "InvariantHarness", "MockAggregator", "TestToken", "WrappedNative"];

/** Folders with copies of creation code, from the root of the repository, and the contracts that each has. */
const COPIES = { "crates/market/tests/chain/artifacts": ["FirmquotePool", "MockAggregator", "TestToken"] };

const SETTINGS = {
  evmVersion: "prague",
  // Without a hash of the metadata the bytecode does not depend on comments or on where the sources lie.
  metadata: { bytecodeHash: "none" },
  optimizer: { enabled: true, runs: 200 },
};

const root = fileURLToPath(new URL(".", import.meta.url));
const artifactsFolder = join(root, "artifacts");
const repository = join(root, "..", "..", "..");

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

/** Everything that is written, by folder: its files by name, as text. */
function renderFolders(compiled) {
  const copies = Object.entries(COPIES).map(([folder, contracts]) => {
    const code = (contract) => `0x${compiled[`src/${contract}.sol`][contract].evm.bytecode.object}\n`;
    return [join(repository, folder), new Map(contracts.map((contract) => [`${contract}.hex`, code(contract)]))];
  });
  return new Map([[artifactsFolder, render(compiled)], ...copies]);
}

/** The committed files of a folder by name, as text. */
function readFolder(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function build(folder, rendered) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of rendered) {
    writeFileSync(join(folder, name), text);
  }
  console.log(`wrote ${rendered.size} files to ${relative(repository, folder)}`);
}

function check(folder, rendered) {
  const committed = readFolder(folder);
  const findings = [];
  for (const [name, text] of rendered) {
    if (!committed.has(name)) findings.push(`missing: ${name}`);
    else if (committed.get(name) !== text) findings.push(`differs: ${name}`);
  }
  for (const name of committed.keys()) {
    if (!rendered.has(name)) findings.push(`extra: ${name}`);
  }
  const shown = relative(repository, folder);
  if (findings.length > 0) fail(findings.map((finding) => `${shown}: ${finding}`));
  console.log(`${rendered.size} files of ${shown} are what the sources compile to`);
}

const options = process.argv.slice(2);
if (options.some((option) => option !== "--check")) fail(["usage: node compile.mjs [--check]"]);
const act = options.length > 0 ? check : build;
for (const [folder, rendered] of renderFolders(compile())) act(folder, rendered);
