"""Settings that no client can be made of, and the version of the API that follows from them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from firmquote import Client, ClientSettings, QuoteRequest, RetryPolicy, compare_versions
from firmquote.errors import InvalidSettings
from support.samples import QUOTE
from support.stub import Stub, json_answer


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080",
        "https://quotes.example/",
        "https://quotes.example/api/",
        "http://[::1]:80",
    ],
)
def test_a_base_may_have_a_path_and_a_slash_at_its_end(url: str) -> None:
    assert ClientSettings(url).base(1) == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "quotes.example",
        "ftp://quotes.example",
        "wss://quotes.example",
        "https://",
        "http://h:99999",
        "https://h:0",
        "http://h:x",
        "https://user:password@quotes.example",
        "https://quotes.example?key=1",
        "https://quotes.example/#top",
        "https://quotes example/",
        "/rfq",
    ],
)
def test_what_is_no_base_is_refused(url: str) -> None:
    with pytest.raises(InvalidSettings, match="base URL"):
        ClientSettings(url)
    with pytest.raises(InvalidSettings, match="base URL"):
        ClientSettings("http://h", base_url_v2=url)


@pytest.mark.parametrize(
    "changes",
    [
        {"api_key": "key\n"},
        {"api_key": ""},
        {"api_key": "é"},
        {"api_key": " key"},
        {"basic": ("a:b", "c")},
        {"basic": ("a", "b\r\n")},
        {"api_key": "k", "basic": ("a", "b")},
        {"api_version": 2},
        {"api_version": 3},
        {"timeout": 0},
        {"connect_timeout": -1},
        {"max_response_bytes": 0},
        {"request_id": "a b"},
        {"request_id": "x" * 65},
    ],
)
def test_settings_without_meaning_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidSettings):
        ClientSettings("http://h", **changes)


@pytest.mark.parametrize("changes", [{"attempts": 0}, {"first_pause": -1}, {"max_pause": -1}])
def test_policies_without_meaning_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidSettings):
        RetryPolicy(**changes)


def test_the_credential_decides_the_version() -> None:
    assert ClientSettings("http://h").version == 1
    assert ClientSettings("http://h", basic=("a", "b")).version == 1
    assert ClientSettings("http://h", api_key="k").version == 2
    assert ClientSettings("http://h", api_key="k", api_version=1).version == 1
    settings = ClientSettings("http://h", api_key="k", base_url_v2="http://v2/")
    assert (settings.base(1), settings.base(2)) == ("http://h", "http://v2")


def test_secrets_are_in_no_text() -> None:
    for settings in (
        ClientSettings("http://h", api_key="secret-key"),
        ClientSettings("http://h", basic=("demo", "secret-key")),
    ):
        with Client(settings) as client:
            assert "secret-key" not in f"{settings!r} {settings} {client!r}"
        assert settings.credential_header() is not None


def test_a_client_with_other_settings_shares_connections() -> None:
    with Stub(json_answer(QUOTE)) as stub, Client(stub.settings()) as client:
        other = client.with_settings(dataclasses.replace(client.settings, request_id="other"))
        for each in (client, other):
            each.quote(QuoteRequest(1, "ETH", "USDC", input_amount=10**18))
        assert [received.headers["x-request-id"] == "other" for received in stub.received] == [False, True]


@pytest.mark.parametrize(
    ("server", "client", "is_compatible"),
    [
        ("0.1.0", "0.1.0", True),
        ("0.1.9", "0.1.0", True),
        ("0.2.0", "0.1.0", True),
        ("0.3.0", "0.1.0", False),
        ("0.0.9", "0.1.0", False),
        ("1.0.0", "0.1.0", False),
        ("1.0.0", "1.4.0", True),
        ("1.9.0", "1.4.0", True),
        ("2.0.0", "1.4.0", False),
        ("0.1.0-rc.1", "0.1.0", True),
        ("0.1", "0.1.0", False),
        ("", "0.1.0", False),
        ("0.01.0", "0.1.0", False),
    ],
)
def test_versions_are_compatible_within_a_major_and_one_later_minor_of_0(
    server: str, client: str, is_compatible: bool
) -> None:
    assert compare_versions(server, client).is_compatible == is_compatible
