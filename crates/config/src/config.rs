//! The operator's configuration: one TOML file with environment variable overrides, parsed once into typed values.
//!
//! [`Config::from_file`], [`Config::demo`] and [`Config::sandbox`] return a usable configuration, or one error that
//! names the place, the key, the value and the allowed values.

use crate::{
    ChainConfig, ConfigError, ConfigText, Environment, LimitsConfig, LogConfig, OtlpConfig, Override, PoolConfig,
    PricesConfig, SandboxConfig, ServerConfig, SourceText, StoreConfig, chain, credentials, document,
    document::{
        env_overrides,
        error::KeyError,
        reader::{Keys, Table},
        tree::Node,
        unknown_variables,
    },
    environment::relative_to,
    mode::ConfigMode,
    price, sandbox, server,
    server::{auth, limits},
    signer,
    signer::SignerConfig,
    store,
    telemetry::{log, otlp},
};

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use firmquote_http::{BasicRetirement, Credential};

/// A complete, validated configuration.
pub struct Config {
    /// `[server]`.
    pub server: ServerConfig,
    /// `[store]`.
    pub store: StoreConfig,
    /// `[limits]`.
    pub limits: LimitsConfig,
    /// `[auth]`.
    pub basic: BasicRetirement,
    /// `[log]`.
    pub log: LogConfig,
    /// `[otlp]`, if it has an `endpoint`.
    pub otlp: Option<OtlpConfig>,
    /// Every `[[credential]]`.
    pub credentials: Vec<Credential>,
    /// `auth.credentials_file`: the path of a file with more credentials.
    pub credentials_file: Option<PathBuf>,
    /// Every `[[chain]]`.
    pub chains: Vec<ChainConfig>,
    /// Every `[[price_source]]` and `[[price_rule]]`.
    pub prices: PricesConfig,
    /// Every `[[pool]]`, at least one. The first of a chain is the chain's default pool.
    pub pools: Vec<PoolConfig>,
    /// `[sandbox]`, if the file has it.
    pub sandbox: Option<SandboxConfig>,
    /// The whole file with its overrides, as written.
    pub text: ConfigText,
    /// The parts that cannot be changed while the service runs.
    pub restart_required: ConfigText,
    /// The locations of the signing keys, by the names of their signers.
    pub signers: BTreeMap<String, ConfigText>,
    /// The `[[price_source]]` tables, in the order of [`PricesConfig::sources`].
    pub price_sources: Vec<SourceText>,
}

pub(crate) const KEYS: Keys = Keys::new(&[
    "server",
    "store",
    "limits",
    "auth",
    "log",
    "otlp",
    "credential",
    "chain",
    "signer",
    "pool",
    "price_source",
    "price_rule",
    "sandbox",
]);

impl Config {
    /// Reads the file at `path` with `overrides` applied. Paths in both are relative to its directory.
    ///
    /// # Errors
    /// [`ConfigError`] for the first problem.
    pub fn from_file(
        path: &Path,
        overrides: &[Override],
        environment: &Arc<dyn Environment>,
    ) -> Result<Self, ConfigError> {
        let (file, text) = read_text(path, &**environment)?;
        Self::parse(&file, &text, overrides, ConfigMode::Operation, &relative_to(path, environment))
    }

    /// Reads the text of a configuration file, without environment overrides; `name` stands for the file in errors.
    /// Paths in it are relative to the working directory.
    ///
    /// # Errors
    /// [`ConfigError`] for the first problem.
    pub fn from_toml(name: &str, text: &str, environment: &Arc<dyn Environment>) -> Result<Self, ConfigError> {
        Self::parse(name, text, &[], ConfigMode::Operation, environment)
    }

    pub(crate) fn parse(
        file: &str,
        text: &str,
        overrides: &[Override],
        mode: ConfigMode,
        environment: &Arc<dyn Environment>,
    ) -> Result<Self, ConfigError> {
        parse(file, text, overrides, |root| Self::read(root, mode, environment))
    }

    fn read(root: &Node, mode: ConfigMode, environment: &Arc<dyn Environment>) -> Result<Self, KeyError> {
        let table = Table::root(root, &KEYS, environment)?;
        let server = ServerConfig::read(&table.field("server").table(&server::KEYS)?)?;
        let store = StoreConfig::read(&table.field("store").table(&store::KEYS)?, mode)?;
        let limits = LimitsConfig::read(&table.field("limits").table(&limits::KEYS)?)?;
        let auth = table.field("auth").table(&auth::KEYS)?;
        let (basic, credentials_file) = (auth::read(&auth)?, auth::credentials_file(&auth)?);
        let log = LogConfig::read(&table.field("log").table(&log::KEYS)?)?;
        let otlp = OtlpConfig::read(&table.field("otlp").table(&otlp::KEYS)?)?;
        let credentials = credentials::read_all(&table.field("credential").tables(&credentials::KEYS)?)?;
        let chains = ChainConfig::read_all(&table.field("chain").tables(&chain::KEYS)?)?;
        let signers = SignerConfig::read_all(&table.field("signer").tables(&signer::KEYS)?, mode)?;
        let pools = PoolConfig::read_all(table.field("pool"), &chains, &signers)?;
        let price_sources = table.field("price_source").tables(&price::SOURCE_KEYS)?;
        let rules = table.field("price_rule").tables(&price::RULE_KEYS)?;
        let prices = PricesConfig::read(&price_sources, &rules, &chains, &pools)?;
        price::check_push(&price_sources, &prices, &table, server.admin_token.is_some(), &store)?;
        let sandbox = SandboxConfig::read(&table, &chains, &pools, &store)?;
        sandbox::check_usernames(&table, &credentials, sandbox.is_some())?;
        let (restart_required, signer_tables) = (ConfigText::restart_required(root), ConfigText::signers_of(root));
        Ok(Self {
            server,
            store,
            limits,
            basic,
            log,
            otlp,
            credentials,
            credentials_file,
            chains,
            prices,
            pools,
            sandbox,
            text: ConfigText::whole(root),
            restart_required,
            signers: signer_tables,
            price_sources: ConfigText::price_sources_of(root),
        })
    }
}

impl StoreConfig {
    /// Reads only `[store]`, and no signing key. The contents of other tables are not checked.
    ///
    /// # Errors
    /// [`ConfigError`] for the first problem.
    pub fn from_file(
        path: &Path,
        overrides: &[Override],
        environment: &Arc<dyn Environment>,
    ) -> Result<Self, ConfigError> {
        let (file, text) = read_text(path, &**environment)?;
        let relative = relative_to(path, environment);
        parse(&file, &text, overrides, |root| {
            Self::read(&Table::root(root, &KEYS, &relative)?.field("store").table(&store::KEYS)?, ConfigMode::Operation)
        })
    }
}

/// Returns the name of the file at `path` as shown in errors, and its contents.
pub(crate) fn read_text(path: &Path, environment: &dyn Environment) -> Result<(String, String), ConfigError> {
    let file = path.display().to_string();
    match environment.text(path) {
        Ok(text) => Ok((file, text)),
        Err(source) => Err(ConfigError::Unreadable { file, source }),
    }
}

/// Parses `text` with `overrides` applied, and interprets it with `read`.
pub(crate) fn parse<T>(
    file: &str,
    text: &str,
    overrides: &[Override],
    read: impl FnOnce(&Node) -> Result<T, KeyError>,
) -> Result<T, ConfigError> {
    let mut root = document::toml::parse(file, text)?;
    env_overrides::apply(&mut root, overrides)?;
    unknown_variables::refuse(&root, overrides)?;
    read(&root).map_err(|error| {
        let location = root.origin_of(&error.key).in_file(file);
        ConfigError::Key { location, error }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EmptyEnvironment;

    fn environment() -> Arc<dyn Environment> {
        Arc::new(EmptyEnvironment)
    }

    #[test]
    fn arbitrary_files_never_panic_and_each_error_is_one_line() {
        let demo = include_str!("../demo.toml");
        let huge = "9".repeat(400);
        let odd = [
            "",
            "0",
            "-1",
            "+1",
            "1e400",
            "nan",
            "inf",
            "0x10",
            "1.",
            "true",
            "\"\"",
            "\"0x\"",
            "\"\\u0000\"",
            "[]",
            "[[]]",
            "{}",
            "{ a = 1 }",
            "2026-01-01",
            "[\"ETH\", \"ETH\", \"ETH\"]",
            "\"\"\"\na\nb\"\"\"",
            &huge,
        ];
        for (number, line) in demo.lines().enumerate() {
            let Some((key, _)) = line.split_once(" = ") else { continue };
            for value in odd {
                let spoiled: Vec<_> = demo.lines().collect();
                let line = format!("{key} = {value}");
                let spoiled = [&spoiled[..number], &[&line], &spoiled[number + 1..]].concat().join("\n");
                if let Err(error) = Config::parse("f", &spoiled, &[], ConfigMode::BuiltIn, &environment()) {
                    let error = error.to_string();
                    assert!(error.starts_with("f:") && !error.contains('\n'), "{line}: {error}");
                }
            }
        }
    }

    #[test]
    fn excessive_nesting_is_rejected() {
        for text in [format!("a = {}", "[".repeat(100_000)), format!("a{} = 1", ".a".repeat(100_000))] {
            assert!(Config::parse("f", &text, &[], ConfigMode::BuiltIn, &environment()).is_err());
        }
    }
}
