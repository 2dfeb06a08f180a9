//! Metrics of quote and signature requests by client and pair, and of the use of credentials.

use std::collections::BTreeMap;

use firmquote_domain::{Client, Symbol};
use prometheus::{
    IntCounterVec, IntGaugeVec, Registry, core::Collector as _, register_int_counter_vec_with_registry,
    register_int_gauge_vec_with_registry,
};

use crate::{auth::CredentialUse, endpoints::Endpoint, error::Reason, request::LogFields};

/// The reason label of a successful request.
const OK: &str = "ok";

/// Requests for quotes and signatures by client and pair, and the last use of each credential. Only configured names
/// become labels.
pub(crate) struct ClientMetrics {
    requests: IntCounterVec,
    credentials: IntGaugeVec,
}

/// A client, and its input and output asset; `None` for a client without credentials, and for assets that are unknown
/// or not traded as a pair.
pub(crate) type ClientPair = (Option<String>, [Option<String>; 2]);

/// The number of requests of a client for a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestCounts {
    pub(crate) requests: u64,
    /// The number of requests that were rejected or failed.
    pub(crate) errors: u64,
}

impl ClientMetrics {
    /// Registers both metrics in `registry`.
    ///
    /// # Errors
    /// If a metric of that name is already registered, which is a bug in this crate.
    pub(crate) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let requests = register_int_counter_vec_with_registry!(
            "firmquote_client_requests_total",
            "Requests for quotes and signatures, by client, pair, route and reason of the error (ok without one).",
            &["client", "input_asset", "output_asset", "route", "reason"],
            registry
        )?;
        let credentials = register_int_gauge_vec_with_registry!(
            "firmquote_credential_last_used_timestamp_seconds",
            "Unix time of the last use of a credential since the start of the process.",
            &["client", "credential"],
            registry
        )?;
        Ok(Self { requests, credentials })
    }

    /// Counts a request of `client`.
    pub(crate) fn count(
        &self,
        client: &Client,
        log_fields: Option<&LogFields>,
        endpoint: &Endpoint,
        error: Option<Reason>,
    ) {
        let client = client.name().unwrap_or_default();
        let traded = log_fields.filter(|log_fields| log_fields.is_traded);
        let symbol = |symbol: fn(&LogFields) -> &Option<Symbol>| {
            traded.and_then(|log_fields| symbol(log_fields).as_ref()).map_or("", Symbol::as_str)
        };
        let (input, output) =
            (symbol(|log_fields| &log_fields.input_asset), symbol(|log_fields| &log_fields.output_asset));
        let reason = error.map_or(OK, Reason::name);
        self.requests.with_label_values(&[client, input, output, endpoint.path, reason]).inc();
    }

    /// Sets the gauges to these uses of credentials, and removes all others.
    pub(crate) fn show_credentials<'c>(&self, uses: impl Iterator<Item = CredentialUse<'c>>) {
        self.credentials.reset();
        for CredentialUse { client, id, at } in uses {
            self.credentials.with_label_values(&[client, &id]).set(at.get().into());
        }
    }

    /// Returns all counts by client and pair.
    pub(crate) fn counts(&self) -> BTreeMap<ClientPair, RequestCounts> {
        let mut counts: BTreeMap<ClientPair, RequestCounts> = BTreeMap::new();
        for family in self.requests.collect() {
            for metric in family.get_metric() {
                let label = |name: &str| {
                    let pair = metric.get_label().iter().find(|pair| pair.name() == name);
                    pair.map(|pair| pair.value().to_owned()).filter(|value| !value.is_empty())
                };
                let count = counts.entry((label("client"), [label("input_asset"), label("output_asset")])).or_default();
                // Counters are integers, and exact below 2^53.
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a whole number above zero"
                )]
                let value = metric.get_counter().get_value() as u64;
                count.requests += value;
                if label("reason").as_deref() != Some(OK) {
                    count.errors += value;
                }
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoints::ENDPOINTS;

    #[test]
    fn requests_are_counted_by_client_pair_route_and_reason() {
        let metrics = ClientMetrics::new(&Registry::new()).unwrap();
        let symbol = |text| Some(Symbol::new(text).unwrap());
        let log_fields = LogFields {
            input_asset: symbol("ETH"),
            output_asset: symbol("DAI"),
            is_traded: true,
            ..LogFields::default()
        };
        let untraded = LogFields { is_traded: false, ..log_fields.clone() };
        let acme = Client::Named("acme".into());
        let endpoint = |path: &str| ENDPOINTS.iter().copied().find(|endpoint| endpoint.path == path).unwrap();
        let (quote, sign) = (endpoint("/rfq/v2/quote/{chain_id}"), endpoint("/rfq/v2/sign"));
        for (endpoint, error) in [(quote, None), (sign, None), (sign, Some(Reason::Price))] {
            metrics.count(&acme, Some(&log_fields), endpoint, error);
        }
        metrics.count(&Client::Anonymous, Some(&untraded), endpoint("/rfq/quote"), Some(Reason::UnsupportedAsset));
        let signed = ["acme", "ETH", "DAI", "/rfq/v2/sign", "price"];
        assert_eq!(metrics.requests.with_label_values(&signed).get(), 1);
        let pair = [Some("ETH".to_owned()), Some("DAI".to_owned())];
        let expected = BTreeMap::from([
            ((Some("acme".to_owned()), pair), RequestCounts { requests: 3, errors: 1 }),
            ((None, [None, None]), RequestCounts { requests: 1, errors: 1 }),
        ]);
        assert_eq!(metrics.counts(), expected);
    }
}
