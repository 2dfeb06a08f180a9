//! What a client asks for when it has a quote signed.

use alloy_primitives::{Address, B256};

/// Which side of a swap is the chain's native coin instead of its wrapped token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NativeSide {
    /// Both sides are tokens.
    #[default]
    Neither,
    /// The input comes as the value of the transaction.
    Input,
    /// The output is paid out as native coin.
    Output,
}

/// The terms a quote is signed for. The first terms a quote is signed for are the only ones ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// Who receives the output.
    pub destination: Address,
    /// The account the input is pulled from; the destination unless an aggregator says otherwise.
    pub sender: Address,
    /// Comes back in the event log of the swap.
    pub aux_data: B256,
    /// Which side is native coin.
    pub native: NativeSide,
    /// Whether the pool pulls the input from the caller instead of finding it delivered.
    pub transmit: bool,
}
