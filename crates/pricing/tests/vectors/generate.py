"""Writes prices.json: states, amounts and answers of the pricing formula, computed with Python's decimal module at
200 digits straight from the published formula. Run: python3 generate.py > prices.json"""

import json
import random
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, getcontext

getcontext().prec = 200


def curve(side, k):
    price, weight = Decimal(side["price_e8"]), Decimal(side["weight"])
    scale = Decimal(10) ** (side["decimals"] + 8)

    def u(base_units):
        return (price * base_units / scale) ** (1 - k) / weight**k

    def quantity(worth):
        return (worth * weight**k) ** (1 / (1 - k)) * scale / price

    return u, quantity


def solve(pair, amount, is_input):
    k = Decimal(pair["k_e18"]) / 10**18
    kept = 1 - Decimal(pair["fee_hundredths_bp"]) / 10**6
    (ux, qx), (uy, qy) = curve(pair["input"], k), curve(pair["output"], k)
    x, y = Decimal(pair["input"]["reserve"]), Decimal(pair["output"]["reserve"])
    if is_input:
        left = ux(x) + uy(y) - ux(x + kept * amount)
        if left <= 0:
            return None
        return (y - qy(left)).to_integral_value(ROUND_FLOOR)
    after = ux(x) + uy(y) - uy(y - amount)
    return ((qx(after) - x) / kept).to_integral_value(ROUND_CEILING)


def side(rng, decimals, price, value):
    reserve = int(value * 10**decimals / price * rng.uniform(0.5, 2))
    return {"reserve": str(max(reserve, 1000)), "price_e8": round(price * 10**8), "weight": rng.randint(1, 65535),
            "decimals": decimals}


def main():
    rng = random.Random(2026)
    vectors = []
    while len(vectors) < 300:
        value = 10 ** rng.uniform(3, 9)
        price = lambda: 10 ** rng.uniform(-7, 5)
        decimals = lambda: rng.choice([0, 2, 6, 8, 9, 12, 18, 18, 24])
        pair = {"input": side(rng, decimals(), price(), value), "output": side(rng, decimals(), price(), value),
                "k_e18": rng.choice([10**16, 6 * 10**16, 5 * 10**17, rng.randrange(1, 5 * 10**17)]),
                "fee_hundredths_bp": rng.choice([1, 100, 863, rng.randint(1, 50000)])}
        is_input = rng.random() < 0.5
        reserve = int(pair["input" if is_input else "output"]["reserve"])
        amount = max(1, int(reserve * 10 ** rng.uniform(-9, -0.01)))
        answer = solve(pair, amount, is_input)
        if answer is None or answer < 1:
            continue
        key, other = ("input_amount", "output_amount") if is_input else ("output_amount", "input_amount")
        vectors.append({**pair, "fixed": key, key: str(amount), other: str(int(answer))})
    print(json.dumps(vectors, indent=1))


main()
