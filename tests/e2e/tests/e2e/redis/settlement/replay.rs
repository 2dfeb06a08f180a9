//! Replays the ledger of a pool: every swap was sound when it was recorded (rule 2), and the pool could pay all
//! outstanding swaps.

use std::collections::BTreeMap;

use firmquote_domain::{BasisPoints, SwapAmount, U256};
use firmquote_e2e::exchange::Listing;
use serde_json::Value;

use super::curve::gains;

/// A recorded swap: positions of its tokens, and its amounts.
#[derive(Clone, Copy, Debug)]
struct Recorded {
    tokens: [usize; 2],
    amounts: [U256; 2],
    fee: BasisPoints,
}

/// The pool as the entries of its ledger leave it.
pub(super) struct Replay {
    listings: Vec<Listing>,
    /// The tokens as the ledger writes them.
    tokens: Vec<String>,
    reserves: Vec<U256>,
    recorded: BTreeMap<String, Recorded>,
    outstanding: BTreeMap<String, Recorded>,
    settled: BTreeMap<String, Recorded>,
}

/// Returns 1.005 times `amount`, rounded up: the most that a push swap moves.
fn with_push_excess(amount: U256) -> U256 {
    amount + (amount * U256::from(5)).div_ceil(U256::from(1_000))
}

fn text<'a>(entry: &'a Value, pointer: &str) -> &'a str {
    entry.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no {pointer} in {entry}"))
}

fn amount(entry: &Value, pointer: &str) -> U256 {
    text(entry, pointer).parse().expect("base units")
}

impl Replay {
    /// Starts at the initial reserves, with nothing outstanding.
    pub(super) fn new(listings: &[Listing], tokens: &[String]) -> Self {
        let reserves = listings.iter().map(|listing| listing.reserve).collect();
        Self {
            listings: listings.to_vec(),
            tokens: tokens.to_vec(),
            reserves,
            recorded: BTreeMap::new(),
            outstanding: BTreeMap::new(),
            settled: BTreeMap::new(),
        }
    }

    /// Applies the next entry of the pool. An entry that repeats what is known changes nothing.
    ///
    /// # Errors
    /// With the reason, if a recorded swap is unsound, or the pool cannot pay all outstanding swaps.
    pub(super) fn apply(&mut self, entry: &Value) -> Result<(), String> {
        let id = text(entry, "/quote_id");
        match text(entry, "/event") {
            "signed" if self.recorded.contains_key(id) => Ok(()),
            "signed" => self.record(id, self.parse(entry)).map_err(|reason| format!("{reason}: {entry}")),
            "settled" => {
                if let Some(swap) = self.outstanding.remove(id) {
                    let amounts = ["/input_amount", "/output_amount"].map(|pointer| amount(entry, pointer));
                    self.reserves[swap.tokens[0]] += amounts[0];
                    self.reserves[swap.tokens[1]] -= amounts[1];
                    self.settled.insert(id.to_owned(), Recorded { amounts, ..swap });
                }
                Ok(())
            }
            "lapsed" => {
                self.outstanding.remove(id);
                Ok(())
            }
            "reorged" => {
                if let Some(swap) = self.settled.remove(id) {
                    self.reserves[swap.tokens[0]] -= swap.amounts[0];
                    self.reserves[swap.tokens[1]] += swap.amounts[1];
                }
                self.outstanding.insert(id.to_owned(), self.recorded[id]);
                self.check_outflows()
            }
            event => Err(format!("unknown event {event}")),
        }
    }

    /// Returns the reserves without what settled.
    pub(super) fn reserves(&self) -> &[U256] {
        &self.reserves
    }

    fn parse(&self, entry: &Value) -> Recorded {
        let position = |pointer| {
            let token = text(entry, pointer);
            self.tokens.iter().position(|listed| listed.eq_ignore_ascii_case(token)).expect("a listed token")
        };
        Recorded {
            tokens: ["/input/token", "/output/token"].map(position),
            amounts: ["/input/amount", "/output/amount"].map(|pointer| amount(entry, pointer)),
            fee: text(entry, "/fee_in_basis_points").parse().expect("a fee"),
        }
    }

    fn record(&mut self, id: &str, swap: Recorded) -> Result<(), String> {
        let [input, output] = swap.tokens;
        let reserves = [
            self.reserves[input] + with_push_excess(self.flow(0, input)),
            self.reserves[output]
                .checked_sub(with_push_excess(self.flow(1, output)))
                .ok_or("the reserve is exceeded")?,
        ];
        let listings = [&self.listings[input], &self.listings[output]];
        // A push swap delivers and takes at most 1.005 times the stated amounts.
        for amounts in [swap.amounts, swap.amounts.map(with_push_excess)] {
            if !gains(listings, reserves, amounts, swap.fee) {
                return Err(format!("the swap is unsound on {reserves:?}"));
            }
        }
        self.recorded.insert(id.to_owned(), swap);
        self.outstanding.insert(id.to_owned(), swap);
        self.check_outflows()
    }

    /// The stated amounts of all outstanding swaps that bring in (side 0) or take out (side 1) the token.
    fn flow(&self, side: usize, token: usize) -> U256 {
        let moved = self.outstanding.values().filter(|swap| swap.tokens[side] == token);
        moved.fold(U256::ZERO, |sum, swap| sum + swap.amounts[side])
    }

    fn check_outflows(&self) -> Result<(), String> {
        match (0..self.reserves.len()).find(|token| with_push_excess(self.flow(1, *token)) > self.reserves[*token]) {
            Some(token) => Err(format!("outstanding outputs of token {token} exceed its reserve")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{Amount, GoodUntilKind};
    use firmquote_e2e::demo::{self, ETH, USDC};
    use firmquote_pricing::{PairAsset, PairState, price};
    use serde_json::json;

    use super::*;

    /// 5,000 US dollars, so that one swap uses up the fee of the next at the same price.
    const INPUT: u128 = 2_400_000_000_000_000_000;

    fn replay() -> Replay {
        Replay::new(&demo::opening(GoodUntilKind::Plain).listings, &["0xe".into(), "0xU".into(), "0xd".into()])
    }

    /// The entry of a swap of ETH for USDC that is priced on `reserves`.
    fn signed(number: usize, reserves: &[U256]) -> Value {
        let opening = demo::opening(GoodUntilKind::Plain);
        let side = |position: usize| {
            let Listing { decimals, weight, price, .. } = opening.listings[position];
            PairAsset { reserve: Amount::new(reserves[position]).unwrap(), price, weight, decimals }
        };
        let fee = "10".parse::<BasisPoints>().unwrap();
        let state = PairState { input: side(ETH), output: side(USDC), k: opening.k, fee, max_improvement: None };
        let input = Amount::new(U256::from(INPUT)).unwrap();
        let swap = price(&state, GoodUntilKind::Plain, SwapAmount::ExactInput(input)).unwrap();
        json!({
            "event": "signed", "quote_id": number.to_string(), "fee_in_basis_points": fee.to_string(),
            "input": {"token": "0xE", "amount": swap.input.to_string()},
            "output": {"token": "0xu", "amount": swap.output.to_string()},
        })
    }

    fn outcome(event: &str, entry: &Value) -> Value {
        json!({
            "event": event, "quote_id": entry["quote_id"],
            "input_amount": entry["input"]["amount"], "output_amount": entry["output"]["amount"],
        })
    }

    #[test]
    fn swaps_that_share_a_price_are_unsound_together() {
        let mut replay = replay();
        let reserves = replay.reserves().to_vec();
        let results: Vec<_> = (0..3).map(|number| replay.apply(&signed(number, &reserves))).collect();
        assert!(results[0].is_ok(), "{results:?}");
        assert!(results.iter().any(|result| result.as_ref().is_err_and(|reason| reason.contains("unsound"))));
    }

    #[test]
    fn swaps_priced_on_each_other_are_sound_before_and_after_settlement_and_reorganization() {
        let mut replay = replay();
        let initial = replay.reserves().to_vec();
        let mut after = initial.clone();
        for number in 0..8 {
            let entry = signed(number, &after);
            replay.apply(&entry).unwrap();
            after[ETH] += with_push_excess(amount(&entry, "/input/amount"));
            after[USDC] -= with_push_excess(amount(&entry, "/output/amount"));
            if number % 2 == 0 {
                replay.apply(&outcome("settled", &entry)).unwrap();
                replay.apply(&outcome("settled", &entry)).unwrap();
                if number % 4 == 0 {
                    replay.apply(&outcome("reorged", &entry)).unwrap();
                }
            }
        }
        let moved = replay.reserves()[ETH] - initial[ETH];
        assert_eq!(moved, U256::from(2) * U256::from(INPUT), "two swaps are settled");
    }

    #[test]
    fn what_settles_or_lapses_makes_room_only_where_it_did() {
        let mut replay = replay();
        let initial = replay.reserves().to_vec();
        let entries: Vec<_> = (0..3).map(|number| signed(number, &initial)).collect();
        replay.apply(&entries[0]).unwrap();
        replay.apply(&outcome("lapsed", &entries[0])).unwrap();
        replay.apply(&entries[1]).unwrap();
        replay.apply(&outcome("settled", &entries[1])).unwrap();
        let conflict = (2..5).find_map(|number| replay.apply(&signed(number, &initial)).err());
        assert!(conflict.is_some_and(|reason| reason.contains("unsound")), "settlement in the same direction");
    }

    #[test]
    fn outputs_beyond_the_reserve_are_detected() {
        let mut replay = replay();
        let entry = |number: usize, share: u64| {
            let mut entry = signed(number, replay.reserves());
            entry["input"]["amount"] = json!((U256::from(INPUT) * U256::from(1_000_000)).to_string());
            let output = replay.reserves()[USDC] * U256::from(share) / U256::from(100);
            entry["output"]["amount"] = json!(output.to_string());
            entry
        };
        let entries = [entry(0, 60), entry(1, 60), entry(2, 100)];
        let results: Vec<_> = entries.iter().map(|entry| replay.apply(entry)).collect();
        assert!(results[0].is_ok() && results[1].is_err() && results[2].is_err(), "{results:?}");
    }
}
