//! The quote curve of a pair, as drawn by the operator page.

use std::borrow::Cow;

use firmquote_desk::{AssetKey, CurvePoint, CurveRequest, QuoteCurve};
use firmquote_domain::{Address, Amount, Asset, BasisPoints, ChainId};
use serde::Serialize;

use super::number::{Exact, Text};
use crate::{
    error::ApiError,
    input::{CHAIN_ID, Field, Fields, INPUT_ASSET_SYMBOL, OUTPUT_ASSET_SYMBOL, POOL_ADDRESS, Reader, TIME_IN_SECONDS},
};

/// Parameters of the query; the pool is in the path.
pub(crate) const CURVE: &[&Field] =
    &[&CHAIN_ID.field, &INPUT_ASSET_SYMBOL.field, &OUTPUT_ASSET_SYMBOL.field, &TIME_IN_SECONDS.field];

/// A decoded request for a curve.
#[derive(Clone, Debug)]
pub(crate) struct CurveInput<'f> {
    chain_id: Option<ChainId>,
    pool_address: Address,
    input_symbol: Cow<'f, str>,
    output_symbol: Cow<'f, str>,
    time_in_seconds: Option<u32>,
}

impl<'f> CurveInput<'f> {
    /// Decodes the fields of a request for a curve.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every error.
    pub(crate) fn decode(fields: &'f Fields<'_>) -> Result<Self, ApiError> {
        let mut reader = Reader::new(fields);
        let chain_id = reader.optional(&CHAIN_ID);
        let pool_address = reader.required(&POOL_ADDRESS);
        let input_symbol = reader.required(&INPUT_ASSET_SYMBOL);
        let output_symbol = reader.required(&OUTPUT_ASSET_SYMBOL);
        let time_in_seconds = reader.optional(&TIME_IN_SECONDS);
        reader.finish(|| {
            Some(Self {
                chain_id,
                pool_address: pool_address?,
                input_symbol: input_symbol?,
                output_symbol: output_symbol?,
                time_in_seconds,
            })
        })
    }

    /// Returns the request to the desk.
    pub(crate) fn request(&self) -> CurveRequest<'_> {
        CurveRequest {
            pool_address: self.pool_address,
            chain_id: self.chain_id,
            input: AssetKey::Symbol(&self.input_symbol),
            output: AssetKey::Symbol(&self.output_symbol),
            time_in_seconds: self.time_in_seconds,
        }
    }
}

/// The response about a pair.
#[derive(Debug, Serialize)]
pub(crate) struct CurveResponse<'v> {
    chain_id: u64,
    pool_address: Text<Address>,
    input_asset: AssetRecord<'v>,
    output_asset: AssetRecord<'v>,
    time_in_seconds: u32,
    sizes: Vec<SizeRecord>,
    fees: Vec<FeeRecord>,
}

/// An asset: its name, and its address and decimals to interpret amounts.
#[derive(Debug, Serialize)]
struct AssetRecord<'v> {
    name: &'v str,
    address: Text<Address>,
    decimals: u8,
}

#[derive(Debug, Serialize)]
struct SizeRecord {
    input_amount: Text<Amount>,
    output_amount: Text<Amount>,
    rate: f64,
    cost_in_basis_points: f64,
    price_impact_in_basis_points: f64,
}

#[derive(Debug, Serialize)]
struct FeeRecord {
    time_in_seconds: u32,
    fee_in_basis_points: Exact<BasisPoints>,
}

impl<'v> CurveResponse<'v> {
    /// Builds the response for `curve`.
    pub(crate) fn new(curve: &'v QuoteCurve) -> Self {
        let fee = |(time_in_seconds, fee): &(u32, BasisPoints)| FeeRecord {
            time_in_seconds: *time_in_seconds,
            fee_in_basis_points: Exact(*fee),
        };
        Self {
            chain_id: curve.pool.chain_id.get(),
            pool_address: Text(curve.pool.address),
            input_asset: AssetRecord::new(&curve.input),
            output_asset: AssetRecord::new(&curve.output),
            time_in_seconds: curve.time_in_seconds,
            sizes: curve.sizes.iter().map(SizeRecord::new).collect(),
            fees: curve.fees.iter().map(fee).collect(),
        }
    }
}

impl<'v> AssetRecord<'v> {
    fn new(asset: &'v Asset) -> Self {
        Self { name: asset.symbol.as_str(), address: Text(asset.address), decimals: asset.decimals.get() }
    }
}

impl SizeRecord {
    fn new(size: &CurvePoint) -> Self {
        Self {
            input_amount: Text(size.swap.input),
            output_amount: Text(size.swap.output),
            rate: size.rate,
            cost_in_basis_points: size.cost_in_basis_points,
            price_impact_in_basis_points: size.price_impact_in_basis_points,
        }
    }
}
