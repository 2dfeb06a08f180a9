//! The parts of the server that can be left out of a build.

use firmquote_config::Config;

use crate::Error;

/// Refuses a configuration that uses a part which was not compiled in.
///
/// # Errors
/// [`Error::NotCompiled`] for the first such section.
pub(crate) fn check(config: &Config) -> Result<(), Error> {
    let parts = [
        ("[otlp]", "otlp", cfg!(feature = "otlp"), config.otlp.is_some()),
        ("[sandbox]", "sandbox", cfg!(feature = "sandbox"), config.sandbox.is_some()),
    ];
    let missing = parts.into_iter().find(|(_, _, is_compiled, is_used)| *is_used && !is_compiled);
    missing.map_or(Ok(()), |(section, feature, ..)| Err(Error::NotCompiled { section, feature }))
}

#[cfg(all(test, not(feature = "otlp"), not(feature = "sandbox")))]
mod tests {
    use firmquote_config::Override;

    use super::*;
    use crate::system_environment;

    #[test]
    fn sections_of_parts_that_are_left_out_are_refused_by_the_name_of_the_feature() {
        let endpoint =
            Override { name: "FIRMQUOTE__OTLP__ENDPOINT".to_owned(), text: "http://127.0.0.1:4318".to_owned() };
        let config = Config::demo(&[endpoint], &system_environment()).unwrap();
        let refused = check(&config).unwrap_err().to_string();
        assert_eq!(refused, "[otlp] needs the feature \"otlp\", which this program was built without");
        assert!(check(&Config::demo(&[], &system_environment()).unwrap()).is_ok());
        let sandbox = Config::sandbox(&[], &system_environment()).unwrap();
        assert!(check(&sandbox).unwrap_err().to_string().starts_with("[sandbox] needs the feature"));
    }
}
