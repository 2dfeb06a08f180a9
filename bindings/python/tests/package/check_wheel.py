"""Builds the wheel, installs it into an empty virtual environment, and uses it there.

    python tests/package/check_wheel.py

Checks that the package is typed, that the client alone needs nothing of the extra, and that the extra brings what
verification needs. Requests a quote if FIRMQUOTE_URL is set.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PACKAGE = Path(__file__).parents[2]

WITHOUT_EXTRA = """
import importlib.metadata, importlib.resources, os, sys
import firmquote, firmquote.verify
from firmquote import Client, ClientSettings, QuoteRequest
from firmquote.verify import Curve, Side, output_for

assert "eth_account" not in sys.modules and "eth_abi" not in sys.modules
assert importlib.metadata.version("firmquote-client") == firmquote.__version__
assert importlib.resources.files("firmquote").joinpath("py.typed").is_file()
side = Side(4, 10**8, 1, 0)
assert output_for(Curve(side, side, 5 * 10**17, 0), 5) == 3
try:
    firmquote.verify.decode_calldata("0x2b651a6c")
except ImportError:
    pass
else:
    raise AssertionError("the extra is installed")
if url := os.environ.get("FIRMQUOTE_URL"):
    with Client(ClientSettings(url, api_key=os.environ.get("FIRMQUOTE_API_KEY"))) as client:
        quote = client.quote(QuoteRequest(1, "ETH", "USDC", input_amount=10**17))
        print(f"a quote of {quote.output_amount}")
"""

WITH_EXTRA = """
from firmquote.verify import decode_calldata, recover_signer
try:
    decode_calldata("0x2b651a6c")
except ValueError as error:
    assert "ABI" in str(error)
"""


def run(*command: str | Path) -> None:
    """Runs a command, and stops if it fails."""
    subprocess.run([str(part) for part in command], check=True)


def main() -> None:
    """Runs the checks."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(place), str(PACKAGE)]
        run(*pip)
        (wheel,) = place.glob("*.whl")
        venv.create(place / "venv", with_pip=True)
        python = place / "venv" / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", wheel)
        run(python, "-c", WITHOUT_EXTRA)
        run(python, "-m", "pip", "install", "--quiet", "--constraint", PACKAGE / "requirements.txt", f"{wheel}[verify]")
        run(python, "-c", WITH_EXTRA)
        print(f"{wheel.name} works")


if __name__ == "__main__":
    main()
