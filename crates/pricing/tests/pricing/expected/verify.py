"""Checks answers of the pricing formula with Python's decimal module, straight from the published formula at 110 digits.
Reads one state, question and answer a line, as expected.rs writes them; the argument says what is asked: outputs or
inputs. Fails at the first wrong answer."""

import os
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, getcontext
from multiprocessing import Pool

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vectors"))
sys.dont_write_bytecode = True

from formula import solve  # noqa: E402

getcontext().prec = 110

# A solution this near to an integer is that integer: no swap comes nearer without being exact.
HAIR = Decimal(2) ** -60
LARGEST = 2**256 - 1


def rounded(solution, is_input):
    nearest = solution.to_integral_value()
    if abs(solution - nearest) < HAIR:
        # No output is free.
        return int(nearest) if is_input else max(int(nearest), 1)
    return int(solution.to_integral_value(ROUND_FLOOR if is_input else ROUND_CEILING))


def expected(pair, amount, is_input):
    """The amount, or the reasons why there may be none."""
    reserve = int(pair["output"]["reserve"])
    if not is_input:
        if reserve == 1:
            return "empty"
        cost = None if amount >= reserve else rounded(solve(pair, amount, False), False)
        return "large" if cost is None or cost > LARGEST else cost
    solution = solve(pair, amount, True)
    if reserve == 1 or solve(pair, 1, True) is None:
        return "empty"
    if solution is None or rounded(solution, True) >= reserve:
        return "large"
    return rounded(solution, True) or "small"


def check(line):
    words, is_input = line.split(), sys.argv[1] == "outputs"
    side = lambda four: {"reserve": four[0], "price_e8": int(four[1]), "weight": int(four[2]), "decimals": int(four[3])}
    pair = {"input": side(words[0:4]), "output": side(words[4:8]), "k_e18": int(words[8]),
            "fee_hundredths_bp": int(words[9])}
    amount, answer = int(words[10]), words[11]
    correct = expected(pair, amount, is_input)
    return None if answer == str(correct) else f"not {correct}: {line}"


if __name__ == "__main__":
    assert sys.argv[1] in ("outputs", "inputs"), sys.argv
    with Pool() as pool:
        for wrong in pool.imap(check, sys.stdin, chunksize=500):
            if wrong:
                sys.exit(wrong)
