//! The steps of a swap, from its price to the transaction that executes it.
#![expect(clippy::expect_used, reason = "a swap that is not signed is a failed test")]

use firmquote_calldata::{SwapFunction, encode, transaction_value};
use firmquote_domain::{
    Address, Amount, GoodUntil, GoodUntilKind, NativeSide, Offer, PackedGoodUntil, Signature, Terms, Timestamp, U256,
    UnixSeconds,
};
use firmquote_pricing::{PairState, Swap};
use firmquote_signer::{DomainSeparator, Signer, SignerError, SigningRequest, TypedMessage};

use crate::{
    exchange::{NOW, PoolHarness},
    interface::{TestToken, WrappedNative},
    transaction::Transaction,
};

/// The account that swaps.
pub const TRADER: Address = Address::repeat_byte(0xbb);

/// The last second of validity of offers.
pub const EXPIRY: u32 = NOW + 72;

/// A signed offer with its terms.
#[derive(Clone, Copy, Debug)]
pub struct SignedSwap {
    /// The offer covered by the signature.
    pub offer: Offer,
    /// The terms, which determine the function and the auxiliary data.
    pub terms: Terms,
    /// The signature.
    pub signature: Signature,
}

impl SignedSwap {
    /// Returns the trader's transaction that executes the swap.
    pub fn transaction(&self) -> Transaction {
        let data = encode(&self.offer, &self.terms, &self.signature);
        let value = transaction_value(&self.offer, self.terms.native);
        Transaction::raw(TRADER, self.offer.pool.address, data).with_value(value)
    }
}

/// Returns the `good_until` of a swap priced on `pair`, in the form for pools of this kind.
pub fn good_until(kind: GoodUntilKind, pair: &PairState, expires_at: u32) -> GoodUntil {
    let expires_at = UnixSeconds::new(expires_at);
    match kind {
        GoodUntilKind::Plain => GoodUntil::Plain(expires_at),
        GoodUntilKind::Verified => GoodUntil::Packed(PackedGoodUntil {
            input_price: pair.input.price,
            output_price: pair.output.price,
            k: pair.k,
            input_weight: pair.input.weight,
            output_weight: pair.output.weight,
            expires_at,
        }),
    }
}

impl PoolHarness {
    /// Returns the offer for a swap of the `input`th token for the `output`th, priced on `pair`.
    pub fn offer(&self, (input, output): (usize, usize), pair: &PairState, swap: Swap, destination: Address) -> Offer {
        let token = |position| self.contracts.tokens.get(position).copied().expect("a listed token");
        Offer {
            pool: self.spec().id,
            input_token: token(input),
            output_token: token(output),
            input_amount: swap.input,
            output_amount: swap.output,
            good_until: good_until(self.spec().good_until, pair, EXPIRY),
            destination,
        }
    }

    /// Signs an offer through the guard, like the service, at [`NOW`].
    ///
    /// # Errors
    /// If the guard refuses the offer.
    pub async fn sign(&mut self, offer: Offer, terms: Terms) -> Result<SignedSwap, SignerError> {
        let books = self.reserves();
        let reserve = self.contracts.tokens.iter().zip(books).find(|(token, _)| **token == offer.output_token);
        let output_reserve = reserve.and_then(|(_, reserve)| Amount::new(reserve)).unwrap_or(Amount::ONE);
        let request = SigningRequest { offer, native: terms.native, output_reserve, now: Timestamp::from_seconds(NOW) };
        let signature = self.signer.sign(&request).await?;
        Ok(SignedSwap { offer, terms, signature })
    }

    /// Signs an offer with the pool's key, bypassing the guard.
    pub async fn sign_unguarded(&self, offer: Offer, terms: Terms) -> SignedSwap {
        let message = TypedMessage::from_offer(&DomainSeparator::from_pool(self.signer.pool()), &offer);
        let signature = self.key.sign(&message).await.expect("a key in memory");
        SignedSwap { offer, terms, signature }
    }

    /// Gives the trader the input of `swap`.
    pub fn fund(&mut self, swap: &SignedSwap) {
        let Offer { input_token: token, input_amount, .. } = swap.offer;
        let amount = input_amount.base_units();
        if token != self.contracts.wrapped_native() {
            let mint = TestToken::mintCall { account: TRADER, amount };
            self.chain.send(&Transaction::calling(TRADER, token, &mint)).executed();
            return;
        }
        self.chain.fund(TRADER, amount);
        if swap.terms.native != NativeSide::Input {
            let wrap = Transaction::calling(TRADER, token, &WrappedNative::depositCall {}).with_value(amount);
            self.chain.send(&wrap).executed();
        }
    }

    /// Performs the prerequisite of the function of `swap`: a push to the pool, an approval, or nothing.
    pub fn prepare(&mut self, swap: &SignedSwap) {
        let (token, amount) = (swap.offer.input_token, swap.offer.input_amount.base_units());
        match SwapFunction::new(swap.terms.native, swap.terms.transmit) {
            SwapFunction::Swap | SwapFunction::SellTokenForEth => self.push(token, amount),
            SwapFunction::TransmitAndSwap | SwapFunction::TransmitAndSellTokenForEth => {
                let approval = TestToken::approveCall { spender: swap.offer.pool.address, amount };
                self.chain.send(&Transaction::calling(TRADER, token, &approval)).executed();
            }
            SwapFunction::SellEthForToken => {}
        }
    }

    /// Transfers tokens of the trader to the pool without updating its books.
    pub fn push(&mut self, token: Address, amount: U256) {
        let transfer = TestToken::transferCall { to: self.contracts.pool, amount };
        self.chain.send(&Transaction::calling(TRADER, token, &transfer)).executed();
    }
}
