"""Checks who signed a swap, and what the signature lets the contract do. Needs the extra `verify`."""

from __future__ import annotations

from typing import Any

from firmquote.types.good_until import GoodUntil, Packed, unpack
from firmquote.types.responses import PoolData, SignedSwap, SigningDomain
from firmquote.verify.checks import Check, Report, compare, require, skipped
from firmquote.verify.quote import MissingData, price_e8_of

OFFER_TYPES: dict[str, Any] = {
    "OfferStruct": [
        {"name": "input_token", "type": "address"},
        {"name": "output_token", "type": "address"},
        {"name": "input_amount", "type": "uint256"},
        {"name": "output_amount", "type": "uint256"},
        {"name": "good_until", "type": "uint256"},
        {"name": "destination_address", "type": "address"},
    ]
}
"""The EIP-712 type of an offer; for a side in native coin the token is the wrapped one."""

HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0
"""Half the order of secp256k1: a low `s` is at most this."""


def recover_signer(swap: SignedSwap, domain: SigningDomain) -> str:
    """Returns the account that signed the offer of `swap` in `domain`, with its EIP-55 checksum.

    Raises:
        ValueError: no account has made such a signature.
        ImportError: the extra `verify` is not installed.
    """
    from eth_account import Account
    from eth_account.messages import encode_typed_data

    message = encode_typed_data(
        domain_data={
            "name": domain.name,
            "version": domain.version,
            "chainId": domain.chain_id,
            "verifyingContract": domain.verifying_contract,
        },
        message_types=OFFER_TYPES,
        message_data={
            "input_token": swap.input_asset_address,
            "output_token": swap.output_asset_address,
            "input_amount": swap.input_amount,
            "output_amount": swap.output_amount,
            "good_until": swap.good_until,
            "destination_address": swap.destination_address,
        },
    )
    signature = swap.signature
    try:
        return str(Account.recover_message(message, vrs=(signature.v, int(signature.r, 16), int(signature.s, 16))))
    except Exception as error:
        raise ValueError(f"no account has made this signature: {error}") from error


def check_signature(
    swap: SignedSwap,
    *,
    signer: str,
    domain: SigningDomain,
    record: PoolData | None = None,
    verified: bool | None = None,
) -> Report:
    """Checks the signature of a swap, and its `good_until`.

    Args:
        swap: the signed swap.
        signer: the account that the contract accepts, `DESIGNATED_SIGNER()`, learned independently of the service.
        domain: the EIP-712 domain of the pool.
        record: pool data of the quote's `state_id`, to compare packed prices, weights and k with.
        verified: whether the contract reads a packed `good_until`, if known. A plain number lets a verified pool skip
            its check, and a packed one is valid for ages on a plain pool.

    The checks are `signature form`, `signer`, `domain`, `expiry`, `kind of good_until` and `packed values`.
    """
    signature = swap.signature
    is_low = 0 < int(signature.s, 16) <= HALF_ORDER and signature.v in (27, 28)
    good_until = unpack(swap.good_until)
    try:
        signed_by = compare("signer", recover_signer(swap, domain), signer)
    except ValueError as error:
        signed_by = require("signer", False, str(error))
    return Report(
        (
            require("signature form", is_low, "v is 27 or 28 and s is low (EIP-2)"),
            signed_by,
            compare(
                "domain",
                f"{domain.chain_id}:{domain.verifying_contract}",
                f"{swap.chain_id}:{swap.service_exchange_address}",
            ),
            compare("expiry", good_until.expires_at, swap.expires_at),
            _kind(good_until, verified),
            _packed_values(swap, good_until.packed, record),
        )
    )


def settlement_price_e8(price_e8: int, input_price_e8: int, amounts: tuple[int, int], decimals: tuple[int, int]) -> int:
    """Returns the output price that a pool with `settlement = "price"` packs, rounded down.

    The largest price, at most the real one, at which the output is worth less than the input, in the arithmetic of the
    contract: amounts of 18 decimals, prices of 8, every division truncated.

    Args:
        price_e8: the price of the output.
        input_price_e8: the price of the input.
        amounts: input and output in base units.
        decimals: those of input and output.
    """
    input_18, output_18 = (_to_18_decimals(*each) for each in zip(amounts, decimals, strict=True))
    if output_18 == 0:
        return price_e8
    value = input_price_e8 * input_18 // 10**8
    return min(price_e8, max(value - 1, 0) * 10**8 // output_18)


def _kind(good_until: GoodUntil, verified: bool | None) -> Check:
    found = "plain" if good_until.packed is None else "packed"
    if verified is None:
        return skipped("kind of good_until", f"it is {found}; whether the pool is verified was not said")
    return compare("kind of good_until", found, "packed" if verified else "plain")


def _packed_values(swap: SignedSwap, packed: Packed | None, record: PoolData | None) -> Check:
    name = "packed values"
    if packed is None:
        return skipped(name, "good_until is the plain second")
    if packed.is_void:
        return require(name, False, f"a zero voids the check of the contract: {packed}")
    if record is None:
        return skipped(name, f"no pool data to compare with: {packed}")
    try:
        expected = _expected(swap, packed, record)
    except ValueError as error:
        return require(name, False, str(error))
    return compare(name, packed, expected)


def _expected(swap: SignedSwap, packed: Packed, record: PoolData) -> Packed:
    """What is packed for these amounts: the values of the pool data or, for `settlement = "price"`, with k = 0."""
    by_address = {asset.address.lower(): asset for asset in record.assets}
    try:
        one, other = (by_address[each.lower()] for each in (swap.input_asset_address, swap.output_asset_address))
    except KeyError as error:
        raise MissingData(f"the pool data have no token {error}") from None
    k_e18 = int(record.pool.k.scaleb(18))
    input_price, output_price = price_e8_of(one), price_e8_of(other)
    if packed.k_e18 == 0 and (k_e18 != 0 or packed.output_price_e8 != output_price):
        amounts, decimals = (swap.input_amount, swap.output_amount), (one.decimals, other.decimals)
        k_e18, output_price = 0, settlement_price_e8(output_price, input_price, amounts, decimals)
    return Packed(input_price, output_price, k_e18, one.listing_weight, other.listing_weight)


def _to_18_decimals(amount: int, decimals: int) -> int:
    scale: int = 10 ** abs(18 - decimals)
    return amount * scale if decimals <= 18 else amount // scale
