"""The package follows the OpenAPI document: operations, parameters, members of responses, and errors.

The document is the committed copy beside the bindings. Fetch it anew from a service and this fails where the package
has to change.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

import firmquote
from firmquote import (
    API_VERSION,
    AsyncClient,
    Client,
    ClientSettings,
    LevelsRequest,
    PoolRequest,
    QuoteGridRequest,
    QuoteRequest,
    SwapsRequest,
    SwapTerms,
)
from firmquote.client.operations import Operations
from firmquote.errors.failures import InvalidField, RefusalBody
from firmquote.errors.reaction import KNOWN_TYPES
from firmquote.errors.reasons import REACTIONS_BY_REASON
from firmquote.errors.refusals import BY_TYPE
from support.samples import POOL, QUOTE_ID, STATE_ID, TAKER

DOCUMENT = json.loads((Path(__file__).parents[3] / "openapi.json").read_text())
SCHEMAS = DOCUMENT["components"]["schemas"]

METHODS = {
    "pool_v1": ("onchain_pools", "offchain_pools", "pools"),
    "pools_v2": ("onchain_pools", "offchain_pools", "pools"),
    "quote_v1": ("quote",),
    "quote_v2": ("quote",),
    "sign_v1": ("sign", "sign_quote"),
    "sign_v2": ("sign", "sign_quote"),
    "chains_v2": ("chains",),
    "quote_sign_v2": ("quote_and_sign",),
    "quote_status_v2": ("quote_status",),
    "swaps_v2": ("swaps",),
    "curve_v2": ("curve",),
    "levels_v2": ("levels",),
    "level_stream_v2": ("follow_levels",),
    "events_v2": ("follow_events",),
    "openapi": ("openapi", "check_compatibility"),
    "asyncapi": ("asyncapi",),
    "contract_abi": ("contract_abi",),
    "typed_data": ("typed_data",),
}
"""The methods for each operation."""

NO_METHOD = {
    "docs": "a page for people",
    "docs_file": "a file of that page",
    "error_index": "a page for people",
    "error_page": "a page for people",
}
"""Operations without a method, and why."""


def operations() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation["operationId"], operation


def test_the_version_is_that_of_the_document() -> None:
    assert DOCUMENT["info"]["version"] == API_VERSION
    assert firmquote.__version__ == "0.1.0"


def test_every_operation_has_a_method() -> None:
    documented = {name for method, _, name, _ in operations() if method != "head"}
    assert documented == METHODS.keys() | NO_METHOD.keys()
    for names in METHODS.values():
        for name in names:
            assert callable(getattr(Client, name))


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    def shape(kind: type) -> dict[str, list[tuple[str, object]]]:
        public: dict[str, Any] = {
            name: member for name, member in vars(kind).items() if not name.startswith("_") and callable(member)
        }
        return {
            name: [
                (parameter.name, parameter.annotation) for parameter in inspect.signature(member).parameters.values()
            ]
            for name, member in public.items()
        }

    assert shape(Client) == shape(AsyncClient)


KEY, BASIC = (
    Operations(ClientSettings("http://h", api_key="k")),
    Operations(ClientSettings("http://h", basic=("a", "b"))),
)
PLAIN_QUOTES = (QuoteRequest(1, "A", "B", 1, None, 5), QuoteRequest(1, "A", "B", None, 1))
FULL_QUOTES = (QuoteRequest(1, "A", "B", 1, None, 5, POOL, STATE_ID), PLAIN_QUOTES[1])
TERMS = (
    SwapTerms(TAKER, TAKER, "0x" + "00" * 32, True, False, True, True, True),
    SwapTerms(TAKER, native_output=True),
)
GRID = QuoteGridRequest(1, "A", "B", [1], [5], POOL)
LEVELS = LevelsRequest(1, [("A", "B")], POOL, 5, 4, "cumulative")

SENT: dict[str, list[Any]] = {
    "pool_v1": [BASIC.pools(PoolRequest(1, None, 5))],
    "pools_v2": [KEY.pools(PoolRequest(1, POOL, 5, STATE_ID))],
    "quote_v1": [BASIC.quote(request) for request in PLAIN_QUOTES],
    "quote_v2": [KEY.quote(request) for request in FULL_QUOTES],
    "sign_v1": [BASIC.sign(QUOTE_ID, terms) for terms in TERMS],
    "sign_v2": [KEY.sign(QUOTE_ID, terms) for terms in TERMS],
    "chains_v2": [KEY.chains()],
    "quote_sign_v2": [KEY.quote_and_sign(request, terms) for request, terms in zip(FULL_QUOTES, TERMS, strict=True)],
    "quote_status_v2": [KEY.quote_status(QUOTE_ID)],
    "swaps_v2": [KEY.swaps(SwapsRequest(1, 2, "0" * 48, 3))],
    "curve_v2": [KEY.curve(GRID)],
    "levels_v2": [KEY.levels(LEVELS)],
    "level_stream_v2": [KEY.level_stream(LEVELS)],
    "events_v2": [KEY.events(1, "an-id")],
}
"""Requests in which everything is set that can be."""

UNUSED = {"input_asset_address", "output_asset_address", "strict"}
"""Inputs that the client has no use for: it names assets by symbol, and knows every input."""


@pytest.mark.parametrize("name", SENT)
def test_every_parameter_is_sent_and_no_other(name: str) -> None:
    method, path, operation = next((m, p, o) for m, p, n, o in operations() if n == name and m != "head")
    documented = {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "query"}
    if "requestBody" in operation:
        documented |= members_of(operation["requestBody"]["content"]["application/json"]["schema"]).keys()
    documented -= UNUSED
    sent: set[str] = set()
    for request in SENT[name]:
        url = urlsplit(request.path)
        assert re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), url.path)
        assert (request.id, "get" if request.body is None else "post") == (name, method)
        sent |= {key for key, _ in parse_qsl(url.query)} | (request.body or {}).keys()
    assert sent == documented


def test_errors_have_the_documented_types_members_and_reasons() -> None:
    error = SCHEMAS["ErrorObject"]["properties"]
    assert set(SCHEMAS["ErrorType"]["enum"]) == KNOWN_TYPES == BY_TYPE.keys()
    named = {"errorMessage": "message", "errorType": "error_type", "errorCode": "error_code"}
    in_body = {named.get(member, member) for member in error} - {"retry_after_ms", "ready", "parts"}
    assert in_body <= {each.name for each in fields(RefusalBody)}
    assert SCHEMAS["InvalidInput"]["properties"].keys() == {each.name for each in fields(InvalidField)}
    assert SCHEMAS["Reason"]["enum"] == list(REACTIONS_BY_REASON)


def test_every_status_of_an_operation_has_a_reaction() -> None:
    """A new status would be judged by the row for everything else; this makes somebody look."""
    statuses = {status for _, _, _, operation in operations() for status in operation["responses"]}
    expected = {"200", "304", "400", "401", "403", "404", "405", "408", "413", "415", "429", "500", "503"}
    assert statuses == expected


def members_of(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties of a schema, with those of everything it is composed of."""
    found = dict(schema.get("properties", {}))
    for part in (*schema.get("allOf", []), *schema.get("oneOf", []), *schema.get("anyOf", [])):
        found |= members_of(part)
    return found
