-- Adds a trade to totals: KEYS, ARGV and the answer are those of `charge`.
return charge(1, 1)
