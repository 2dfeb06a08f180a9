-- Changes until when the input counts that is reserved for a quote.
-- KEYS: those of the budget. ARGV: quote id, Unix milliseconds from which on the input no longer counts, the replica's clock.
-- Returns 1 if there was a reservation, else 0.
local id, until_ms, now_ms = unpack(ARGV)
use_reservations(1)
now_ms = release_expired(now_ms)
if redis.call('HEXISTS', reserved.inputs, id) == 0 then
  return 0
end
if tonumber(until_ms) <= now_ms then
  release(id)
else
  redis.call('ZADD', reserved.expiry, until_ms, id)
  keep(until_ms)
end
return 1
