"""What the README says exists, and its swap is as short as it says."""

from __future__ import annotations

import ast
import re

import firmquote
import firmquote.errors
import firmquote.verify
from firmquote.errors.failures import FirmquoteError
from support.readme import README, blocks, swap_block


def test_every_block_is_python() -> None:
    found = blocks()
    assert len(found) >= 5
    for _, code in found:
        compile(code, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_every_import_of_a_block_exists() -> None:
    for _, code in blocks():
        for node in ast.walk(
            compile(code, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST)
        ):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("firmquote"):
                module = firmquote.verify if node.module == "firmquote.verify" else firmquote
                for alias in node.names:
                    assert hasattr(module, alias.name), alias.name


def test_the_swap_has_20_lines_besides_its_imports() -> None:
    lines = [line for line in swap_block().splitlines() if line and not line.startswith(("import ", "from "))]
    assert len(lines) <= 20


def test_the_table_of_errors_has_every_class() -> None:
    table = README.read_text().split("## Errors")[1].split("## Price levels")[0]
    public = {
        name
        for name in firmquote.errors.__all__
        if isinstance(kind := getattr(firmquote.errors, name), type) and issubclass(kind, FirmquoteError)
    }
    # Bases, and what no service of this version sends.
    public -= {"FirmquoteError", "NoAnswer", "Refused", "UnknownRefusal"}
    assert public <= set(re.findall(r"`(\w+)`", table))


def test_every_method_is_in_the_table() -> None:
    text = README.read_text()
    for name, member in vars(firmquote.Client).items():
        if not name.startswith("_") and callable(member) and name != "close":
            assert name in text, name
