-- Reserves an input in a budget, in place of what is reserved for the same quote.
-- KEYS: the levels, then those of the budget. ARGV: quote id, input, limit, Unix milliseconds from which on the input no
-- longer counts, the replica's clock.
-- Returns 'reserved' or 'limit', each with what is reserved for others; or 'lost' if the levels are no longer held.
local generation, hidden = server_generation()
if hidden then
  return hidden
end
local held = redis.call('GET', KEYS[1])
if not held or string.sub(held, 2, 33) ~= generation then
  return {'lost'}
end
local id, input, limit, until_ms, now_ms = unpack(ARGV)
use_reservations(2)
release_expired(now_ms)
local used = total()
local own = redis.call('HGET', reserved.inputs, id)
if own then
  used = combined(used, own, -1)
end
local after = combined(used, input, 1)
if exceeds(after, limit) then
  return {'limit', used}
end
redis.call('HSET', reserved.inputs, id, input, 'total', after)
redis.call('ZADD', reserved.expiry, until_ms, id)
keep(until_ms)
return {'reserved', used}
