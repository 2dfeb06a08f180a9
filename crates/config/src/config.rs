//! The operator's configuration: one TOML file with environment variable overrides, parsed once into typed values.
//!
//! [`Config::from_file`], [`Config::demo`] and [`Config::sandbox`] return a usable configuration, or one error that
//! names the place, the key, the value and the allowed values.

use crate::{
    ChainConfig, ConfigError, ConfigText, Environment, LimitsConfig, LogConfig, OtlpConfig, Override, PoolConfig,
    PricesConfig, SandboxConfig, ServerConfig, SourceText, StoreConfig, TapeConfig, WebhookConfig,
    chain::ChainTable,
    credentials::{self, CredentialTable},
    document::{
        self,
        deserializer::{Tables, keys_of},
        env_overrides,
        error::KeyError,
        field::Field,
        tree::Node,
        unknown_variables,
    },
    environment::relative_to,
    mode::ConfigMode,
    pool::PoolTable,
    price::{self, RuleTable},
    sandbox::{self, SandboxTable},
    server::{
        ServerTable,
        auth::AuthTable,
        limits::LimitsTable,
        operator::{self, OperatorTable},
        webhook::{self, WebhookTable},
    },
    signer::{SignerConfig, SignerTable},
    store::StoreTable,
    tape::TapeTable,
    telemetry::{log::LogTable, otlp::OtlpTable},
};

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use firmquote_domain::{Address, ChainId, Symbol};
use firmquote_http::{BasicRetirement, ClientCredential, Operator, Role};
use serde::{Deserialize, de::IgnoredAny};

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
    /// `[tape]`, if it has a `directory`.
    pub tape: Option<TapeConfig>,
    /// Who may use the operator's routes: the holder of `server.admin_token_sha256`, and every `[[operator]]`.
    pub operators: Vec<Operator>,
    /// Every `[[webhook]]`.
    pub webhooks: Vec<WebhookConfig>,
    /// Every `[[credential]]`.
    pub credentials: Vec<ClientCredential>,
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

/// The whole file.
#[derive(Deserialize)]
struct Document {
    server: ServerTable,
    store: StoreTable,
    limits: LimitsTable,
    auth: AuthTable,
    log: LogTable,
    otlp: OtlpTable,
    tape: TapeTable,
    operator: Tables<OperatorTable>,
    webhook: Tables<WebhookTable>,
    credential: Tables<CredentialTable>,
    chain: Tables<ChainTable>,
    signer: Tables<SignerTable>,
    pool: Tables<PoolTable>,
    /// Read by its kind later.
    #[serde(rename = "price_source")]
    _price_source: Tables<IgnoredAny>,
    price_rule: Tables<RuleTable>,
    sandbox: Option<SandboxTable>,
}

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

    fn read(node: &Node, mode: ConfigMode, environment: &Arc<dyn Environment>) -> Result<Self, KeyError> {
        let root = Field::root(node, environment);
        StoreConfig::check_keys(&root.key("store"))?;
        OtlpConfig::check_keys(&root.key("otlp"))?;
        SignerConfig::check_keys(&root.key("signer"), mode)?;
        let document: Document = root.read()?;
        let admin_token = document.server.admin_token();
        let server = ServerConfig::new(document.server, &root.key("server"))?;
        let store = StoreConfig::new(document.store, &root.key("store"), mode)?;
        let limits = LimitsConfig::new(document.limits, &root.key("limits"))?;
        let credentials_file = document.auth.credentials_file(&root.key("auth"));
        let basic = document.auth.basic(&root.key("auth"))?;
        let otlp = OtlpConfig::new(document.otlp, &root.key("otlp"))?;
        let tape = TapeConfig::new(document.tape, &root.key("tape"))?;
        let operators = operator::read(document.operator.0, admin_token, &root.key("operator"))?;
        let webhooks = webhook::read(document.webhook.0, &root.key("webhook"))?;
        let credentials = credentials::read(document.credential.0, &root.key("credential"))?;
        let chains = ChainConfig::read(document.chain.0, &root.key("chain"))?;
        let signers = SignerConfig::read(document.signer.0, &root.key("signer"), mode)?;
        let mut pools = PoolConfig::read(document.pool.0, &root.key("pool"), &chains, &signers)?;
        PoolConfig::check_breakers(&mut pools, &store, &root)?;
        let prices = PricesConfig::read(&root, document.price_rule.0, &chains, &pools)?;
        price::check_push(&prices, &root, operators.iter().any(|operator| operator.may(Role::Pricer)), &store)?;
        let sandbox = document.sandbox.map(|table| SandboxConfig::new(table, &root, &chains, &pools, &store));
        let sandbox = sandbox.transpose()?;
        sandbox::check_usernames(&root, sandbox.is_some())?;
        Ok(Self {
            server,
            store,
            limits,
            basic,
            log: document.log.into(),
            otlp,
            tape,
            operators,
            webhooks,
            credentials,
            credentials_file,
            chains,
            prices,
            pools,
            sandbox,
            text: ConfigText::whole(node),
            restart_required: ConfigText::restart_required(node),
            signers: ConfigText::signers_of(node),
            price_sources: ConfigText::price_sources_of(node),
        })
    }
}

/// Reads the symbols of the tokens of every `[[pool]]` of the file at `path` with `overrides` applied, and no signing key.
///
/// # Errors
/// [`ConfigError`] for the first problem.
pub fn token_symbols(
    path: &Path,
    overrides: &[Override],
    environment: &Arc<dyn Environment>,
) -> Result<BTreeMap<(ChainId, Address), Symbol>, ConfigError> {
    let (file, text) = read_text(path, &**environment)?;
    parse(&file, &text, overrides, |root| {
        let document: Document = Field::root(root, environment).read()?;
        Ok(document.pool.0.into_iter().flat_map(PoolTable::token_symbols).collect())
    })
}

impl PoolConfig {
    /// Reads only the pools of the file at `path` with `overrides` applied, and no signing key: they sign with keys that
    /// are generated. The contents of most other tables are not checked.
    ///
    /// # Errors
    /// [`ConfigError`] for the first problem.
    pub fn from_file(
        path: &Path,
        overrides: &[Override],
        environment: &Arc<dyn Environment>,
    ) -> Result<Vec<Self>, ConfigError> {
        const MODE: ConfigMode = ConfigMode::Calculation;
        let (file, text) = read_text(path, &**environment)?;
        let relative = relative_to(path, environment);
        parse(&file, &text, overrides, |root| {
            let root = Field::root(root, &relative);
            SignerConfig::check_keys(&root.key("signer"), MODE)?;
            let document: Document = root.read()?;
            let chains = ChainConfig::read(document.chain.0, &root.key("chain"))?;
            let signers = SignerConfig::read(document.signer.0, &root.key("signer"), MODE)?;
            Self::read(document.pool.0, &root.key("pool"), &chains, &signers)
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
            let root = Field::root(root, &relative);
            root.check_keys(keys_of::<Document>())?;
            let field = root.key("store");
            Self::check_keys(&field)?;
            Self::new(field.read()?, &field, ConfigMode::Operation)
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
    use crate::{EmptyEnvironment, tests::Documented};

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

    #[test]
    fn the_documentation_describes_exactly_the_keys() {
        Documented::in_sections(&["`[server]`"]).has_only::<ServerTable>();
        Documented::in_sections(&["`[store]`", "`kind = \"memory\"`", "`kind = \"redis\"`"]).has_only::<StoreTable>();
        Documented::in_sections(&["`[limits]`"]).has_only::<LimitsTable>();
        Documented::in_sections(&["`[auth]`"]).has_only::<AuthTable>();
        Documented::in_sections(&["`[log]`"]).has_only::<LogTable>();
        Documented::in_sections(&["`[otlp]`"]).has_only::<OtlpTable>();
        Documented::in_sections(&["`[tape]`"]).has_only::<TapeTable>();
        Documented::in_sections(&["`[[credential]]`"]).has_only::<CredentialTable>();
        Documented::in_sections(&["`[[operator]]`"]).has_only::<OperatorTable>();
        Documented::in_sections(&["`[[webhook]]`"]).has_only::<WebhookTable>();
        Documented::in_sections(&["`[[chain]]`"]).has_only::<ChainTable>();
        Documented::in_sections(&["`[[signer]]`"]).has_only::<SignerTable>();
        Documented::in_sections(&["`[[price_rule]]`"]).has_only::<RuleTable>();
        Documented::in_sections(&["`[sandbox]`"]).has_only::<SandboxTable>();
    }
}
