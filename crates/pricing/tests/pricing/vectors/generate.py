"""Writes prices.json: states, amounts and answers of the pricing formula, computed with Python's decimal module at
200 digits straight from the published formula. Run: python3 generate.py > prices.json"""

import json
import random
from decimal import ROUND_CEILING, ROUND_FLOOR, getcontext

from formula import solve

getcontext().prec = 200


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
        solution = solve(pair, amount, is_input)
        if solution is None:
            continue
        answer = solution.to_integral_value(ROUND_FLOOR if is_input else ROUND_CEILING)
        if answer < 1:
            continue
        key, other = ("input_amount", "output_amount") if is_input else ("output_amount", "input_amount")
        vectors.append({**pair, "fixed": key, key: str(amount), other: str(int(answer))})
    print(json.dumps(vectors, indent=1))


main()
