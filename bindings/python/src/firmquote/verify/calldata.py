"""Decodes the calldata of a swap, and compares every argument. Needs the extra `verify`."""

from __future__ import annotations

from dataclasses import dataclass

from firmquote.types.requests import SwapTerms
from firmquote.types.responses import SignedSwap
from firmquote.verify.checks import Check, Report, compare, require, skipped

_TOKENS = ("input_token", "output_token")

FUNCTIONS: dict[str, tuple[str, ...]] = {
    "swap": _TOKENS,
    "transmitAndSwap": _TOKENS,
    "sellEthForToken": ("output_token",),
    "sellTokenForEth": ("input_token",),
    "transmitAndSellTokenForEth": ("input_token",),
}
"""The functions of the pool contract that execute a swap, each with the tokens among its arguments."""

AUX_DATA_BYTES = 32
"""The length of the auxiliary data, which the service writes if the terms have none."""


@dataclass(frozen=True, slots=True)
class SwapCall:
    """Decoded calldata of a swap."""

    function: str
    tokens: dict[str, str]
    """`input_token` and `output_token`, as far as the function has them."""
    input_amount: int
    output_amount: int
    good_until: int
    destination_address: str
    v: int
    r: str
    s: str
    aux_data: str


def function_for(terms: SwapTerms) -> str:
    """The function that executes a swap on these terms."""
    if terms.native_input:
        return "sellEthForToken"
    if terms.native_output:
        return "transmitAndSellTokenForEth" if terms.transmit else "sellTokenForEth"
    return "transmitAndSwap" if terms.transmit else "swap"


def decode_calldata(calldata: str) -> SwapCall:
    """Decodes calldata, and checks that encoding the result again gives the same bytes.

    Raises:
        ValueError: it is no call of a function in `FUNCTIONS`, or is not encoded as the ABI says.
        ImportError: the extra `verify` is not installed.
    """
    from eth_abi.abi import decode, encode
    from eth_abi.exceptions import DecodingError

    data = bytes.fromhex(calldata.removeprefix("0x"))
    selectors = {_selector(name): name for name in FUNCTIONS}
    name = selectors.get(data[:4])
    if name is None:
        raise ValueError(f"no function of the pool contract that swaps has the selector 0x{data[:4].hex()}")
    types = _types(name)
    try:
        arguments = decode(types, data[4:])
    except (DecodingError, OverflowError) as error:
        raise ValueError(f"not encoded as the ABI says: {error}") from None
    if encode(types, arguments) != data[4:]:
        raise ValueError("encoded otherwise than the ABI says, or with more bytes than the arguments")
    tokens = dict(zip(FUNCTIONS[name], arguments, strict=False))
    input_amount, output_amount, good_until, destination, (v, r, s), aux_data = arguments[len(tokens) :]
    return SwapCall(
        function=name,
        tokens=tokens,
        input_amount=input_amount,
        output_amount=output_amount,
        good_until=good_until,
        destination_address=destination,
        v=v,
        r=f"0x{r.hex()}",
        s=f"0x{s.hex()}",
        aux_data=f"0x{aux_data.hex()}",
    )


def check_calldata(swap: SignedSwap, terms: SwapTerms, *, wrapped_native_address: str | None = None) -> Report:
    """Compares the calldata of a swap with what was signed and with the terms that were asked for.

    Args:
        swap: the signed swap, which was requested with `calldata`.
        terms: the terms that it was to be signed for.
        wrapped_native_address: the contract that wraps the native coin, which `chains` has, for a swap with a native
            side.

    The checks are `function`, `calldata ...` for every argument, and `wrapped token`. Not checked: what auxiliary data
    say that the terms do not have; they are 32 bytes.
    """
    if swap.calldata is None:
        missing = "there is no calldata"
        function = require("function", False, missing) if terms.calldata else skipped("function", missing)
        return Report((function, *_wrapped(swap, terms, wrapped_native_address)))
    try:
        call = decode_calldata(swap.calldata)
    except ValueError as error:
        return Report((require("function", False, str(error)),))
    signed = {"input_token": swap.input_asset_address, "output_token": swap.output_asset_address}
    checks = [compare("function", call.function, function_for(terms))]
    checks += [compare(f"calldata {name}", token, signed[name]) for name, token in call.tokens.items()]
    checks += [
        compare("calldata input_amount", call.input_amount, swap.input_amount),
        compare("calldata output_amount", call.output_amount, swap.output_amount),
        compare("calldata good_until", call.good_until, swap.good_until),
        compare("calldata destination", call.destination_address, terms.destination_address),
        compare("calldata v", call.v, swap.signature.v),
        compare("calldata r", call.r, swap.signature.r),
        compare("calldata s", call.s, swap.signature.s),
        _aux_data(call, terms),
    ]
    return Report((*checks, *_wrapped(swap, terms, wrapped_native_address)))


def _aux_data(call: SwapCall, terms: SwapTerms) -> Check:
    if terms.aux_data is None:
        if len(call.aux_data) != 2 + 2 * AUX_DATA_BYTES:
            return require("calldata aux_data", False, f"not {AUX_DATA_BYTES} bytes: {call.aux_data}")
        return skipped("calldata aux_data", f"the service's default, which is not signed: {call.aux_data}")
    return compare("calldata aux_data", call.aux_data, terms.aux_data)


def _wrapped(swap: SignedSwap, terms: SwapTerms, wrapped_native_address: str | None) -> tuple[Check, ...]:
    if not (terms.native_input or terms.native_output):
        return ()
    if wrapped_native_address is None:
        return (skipped("wrapped token", "the contract that wraps the native coin was not said"),)
    token = swap.input_asset_address if terms.native_input else swap.output_asset_address
    return (compare("wrapped token", token, wrapped_native_address),)


def _types(name: str) -> list[str]:
    return ["address"] * len(FUNCTIONS[name]) + ["uint256"] * 3 + ["address", "(uint8,bytes32,bytes32)", "bytes"]


def _selector(name: str) -> bytes:
    from eth_utils.crypto import keccak

    return bytes(keccak(text=f"{name}({','.join(_types(name))})")[:4])
