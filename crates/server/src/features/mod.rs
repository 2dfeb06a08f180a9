//! The parts of the server that can be left out of a build.

use firmquote_config::Config;

use crate::Error;

/// Refuses a configuration that uses a part which was not compiled in.
///
/// # Errors
/// [`Error::NotCompiled`] for the first such section.
pub(crate) fn check(config: &Config) -> Result<(), Error> {
    let has_nodes = config.chains.iter().any(|chain| chain.nodes.is_some());
    let parts = [
        ("[[chain]] with rpc_urls", "chain", cfg!(feature = "chain"), has_nodes),
        ("[otlp]", "otlp", cfg!(feature = "otlp"), config.otlp.is_some()),
        ("[sandbox]", "sandbox", cfg!(feature = "sandbox"), config.sandbox.is_some()),
    ];
    let missing = parts.into_iter().find(|(_, _, is_compiled, is_used)| *is_used && !is_compiled);
    missing.map_or(Ok(()), |(section, feature, ..)| Err(Error::NotCompiled { section, feature }))
}

#[cfg(not(any(feature = "chain", feature = "otlp", feature = "redis", feature = "sandbox")))]
#[cfg(test)]
mod tests {
    use firmquote_config::Override;

    use super::*;
    use crate::system_environment;

    #[test]
    fn sections_of_parts_that_are_left_out_are_refused_by_the_name_of_the_feature() {
        let with = |name: &str, text: &str| {
            let change = Override { name: format!("FIRMQUOTE__{name}"), text: text.to_owned() };
            Config::demo(&[change], &system_environment())
        };
        let refused = |config| check(&config).unwrap_err().to_string();
        let otlp = with("OTLP__ENDPOINT", "http://127.0.0.1:4318").unwrap();
        assert_eq!(refused(otlp), "[otlp] needs the feature \"otlp\", which this program was built without");
        let nodes = with("CHAIN__0__RPC_URLS__0", "http://127.0.0.1:8545").unwrap();
        assert!(refused(nodes).starts_with("[[chain]] with rpc_urls needs the feature \"chain\""));
        assert!(check(&Config::demo(&[], &system_environment()).unwrap()).is_ok());
        let sandbox = Config::sandbox(&[], &system_environment()).unwrap();
        assert!(refused(sandbox).starts_with("[sandbox] needs the feature"));
        let file = "[store]\nkind = \"redis\"\nurl = \"redis://127.0.0.1\"\n";
        let store = Config::from_toml("f", file, &system_environment()).err().unwrap().to_string();
        assert!(
            store.contains("store.kind is \"redis\", allowed: \"memory\": built without the feature \"redis\""),
            "{store}"
        );
    }
}
