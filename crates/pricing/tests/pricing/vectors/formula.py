"""The pricing formula as published, evaluated with Python's decimal module at the precision of its context."""

from decimal import Decimal


def curve(side, k):
    price, weight = Decimal(side["price_e8"]), Decimal(side["weight"])
    scale = Decimal(10) ** (side["decimals"] + 8)

    def u(base_units):
        return (price * base_units / scale) ** (1 - k) / weight**k

    def quantity(worth):
        return (worth * weight**k) ** (1 / (1 - k)) * scale / price

    return u, quantity


def solve(pair, amount, is_input):
    """The real output for an input, or the real input for an output; None if the reserve cannot pay the output."""
    k = Decimal(pair["k_e18"]) / 10**18
    kept = 1 - Decimal(pair["fee_hundredths_bp"]) / 10**6
    (ux, qx), (uy, qy) = curve(pair["input"], k), curve(pair["output"], k)
    x, y = Decimal(pair["input"]["reserve"]), Decimal(pair["output"]["reserve"])
    if is_input:
        left = ux(x) + uy(y) - ux(x + kept * amount)
        return None if left <= 0 else y - qy(left)
    after = ux(x) + uy(y) - uy(y - amount)
    return (qx(after) - x) / kept
