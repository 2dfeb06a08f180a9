"""The code blocks of the README."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def blocks() -> list[tuple[str, str]]:
    """Every block of Python: the words after `python` in its first line, and the code."""
    return re.findall(r"^```python ?([^\n]*)\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)


def swap_block() -> str:
    """The complete swap."""
    (code,) = (code for name, code in blocks() if name == "swap")
    return code
