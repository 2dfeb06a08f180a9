"""The code is that of the oldest Python that the package declares; mypy checks the standard library for it."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[2]


def test_every_file_has_the_syntax_of_python_3_10() -> None:
    files = [*PACKAGE.glob("src/**/*.py"), *PACKAGE.glob("tests/**/*.py")]
    assert len(files) > 50
    for file in files:
        ast.parse(file.read_text(), str(file), feature_version=(3, 10))


def test_the_client_alone_imports_no_library_of_the_extra() -> None:
    """Only functions of `verify` that need them import them."""
    for file in PACKAGE.glob("src/**/*.py"):
        for node in ast.parse(file.read_text()).body:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in names if name.startswith(("eth_", "hexbytes", "rlp"))], file
