//! The ledger that the service writes, as it reads it again.

use std::{io, ops::Range, path::PathBuf, sync::Arc};

use firmquote_desk::ExecutedSwap;
use firmquote_domain::{Address, MAX_LIFETIME_SECONDS, Timestamp};
use firmquote_store::ledger::{LedgerEvent, LedgerLine, LedgerReader};
use tokio::task::spawn_blocking;

use crate::redis::{self, RedisStore};

/// Where the ledger of the service is.
pub(crate) enum Ledger {
    File(PathBuf),
    Redis(Arc<RedisStore>),
}

impl Ledger {
    /// Returns the time of the first entry of the whole ledger; `None` for an empty one.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub(crate) async fn begins_at(&self) -> Result<Option<Timestamp>, String> {
        match self {
            Self::Redis(store) => redis::ledger_begins_at(store).await,
            Self::File(path) => {
                let path = path.clone();
                in_background(move || Ok(LedgerReader::open(&path)?.lines().find_map(|line| line.ok()?.time()))).await
            }
        }
    }

    /// Adds each line whose time is in `range` to `initial`.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub(crate) async fn fold<T: Send + 'static>(
        &self,
        range: Range<Timestamp>,
        initial: T,
        add: impl Fn(&mut T, &[u8]) + Send + 'static,
    ) -> Result<T, String> {
        match self {
            Self::Redis(store) => redis::fold_ledger(store, &range, initial, add).await,
            Self::File(path) => {
                let path = path.clone();
                in_background(move || {
                    let mut result = initial;
                    for line in LedgerReader::open(&path)?.lines_from(range.start)? {
                        if let LedgerLine::Entry { text, time } = line?
                            && range.contains(&time)
                        {
                            add(&mut result, &text);
                        }
                    }
                    Ok(result)
                })
                .await
            }
        }
    }

    /// Returns those of `swaps`, executed by a pool with this `wrapped_native`, that no signature of this ledger explains.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub(crate) async fn without_signature(
        &self,
        swaps: Vec<ExecutedSwap>,
        wrapped_native: Address,
    ) -> Result<Vec<ExecutedSwap>, String> {
        let times = || swaps.iter().map(|swap| Timestamp::from_seconds(swap.block_time.get()));
        let (Some(first), Some(last)) = (times().min(), times().max()) else { return Ok(swaps) };
        // Clocks may differ by as much again.
        let range = first.minus_seconds(2 * MAX_LIFETIME_SECONDS)..last.plus_seconds(MAX_LIFETIME_SECONDS);
        self.fold(range, swaps, move |swaps, line| {
            if let Some(LedgerEvent::Signed(signed)) = LedgerEvent::parse(line) {
                swaps.retain(|swap| !swap.may_execute(&signed, wrapped_native));
            }
        })
        .await
    }
}

async fn in_background<T: Send + 'static>(read: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, String> {
    let result = spawn_blocking(read).await.map_err(|error| error.to_string())?;
    result.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use firmquote_calldata::SwappedEvent;
    use firmquote_domain::{Amount, B256, Leg, SignedQuote, U256, UnixSeconds};
    use firmquote_store::{conformance, ledger};

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);
    const OTHER: Address = Address::repeat_byte(0xee);

    /// The swap of `signed` as the contract reports it, in a block of this time.
    fn executed(signed: &SignedQuote, block_time: UnixSeconds) -> ExecutedSwap {
        ExecutedSwap {
            transaction_hash: B256::ZERO,
            log_index: 0,
            block_number: 1,
            block_time,
            event: SwappedEvent::from(&signed.offer()),
        }
    }

    #[tokio::test]
    async fn a_signature_of_the_ledger_explains_its_execution_and_no_other_swap() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ledger");
        let mut quote = conformance::sample_quote(1, NOW);
        let amount = |units: u64| Amount::new(U256::from(units)).unwrap();
        quote.input = Leg { amount: amount(1_000), ..quote.input };
        quote.output = Leg { amount: amount(3_000), ..quote.output };
        let signed = conformance::sample_signed(&quote, conformance::sample_terms(7), 1);
        fs::write(&path, format!("torn\n{}\n", ledger::line(&signed).unwrap())).unwrap();
        let ledger = Ledger::File(path.clone());
        let valid = signed.signed_at.seconds();
        let swap = executed(&signed, valid);
        let with_event = |event: SwappedEvent| ExecutedSwap { event, ..swap.clone() };
        let event = || swap.event.clone();
        let half = [500, 1_500].map(|units: u64| U256::from(units));
        let explained = [
            swap.clone(),
            executed(&signed, signed.quote.good_until.expires_at()),
            with_event(SwappedEvent { input_amount: half[0], output_amount: half[1], ..event() }),
        ];
        let unexplained = [
            with_event(SwappedEvent { recipient: OTHER, ..event() }),
            with_event(SwappedEvent { output_token: OTHER, ..event() }),
            with_event(SwappedEvent { output_amount: half[1], ..event() }),
            executed(&signed, signed.quote.good_until.expires_at().saturating_add(1)),
            executed(&signed, UnixSeconds::new(valid.get() - 60)),
        ];
        let swaps = [&explained[..], &unexplained].concat();
        assert_eq!(ledger.without_signature(swaps.clone(), OTHER).await.unwrap(), unexplained);
        assert_eq!(ledger.begins_at().await.unwrap(), Some(signed.signed_at));
        fs::remove_file(&path).unwrap();
        ledger.without_signature(swaps, OTHER).await.unwrap_err();
    }
}
