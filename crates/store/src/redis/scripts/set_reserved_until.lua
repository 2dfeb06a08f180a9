-- Changes until when the input counts that is reserved for a quote.
-- KEYS: those of the budget. ARGV: quote id, Unix milliseconds from which on the input no longer counts, the replica's clock.
-- Returns 1 if there was a reservation, else 0.
local id, until_ms, now_ms = unpack(ARGV)
use_reservations(1)
now_ms = release_expired(now_ms)
if not is_reserved(id) then
  return 0
end
if tonumber(until_ms) <= now_ms then
  release(id)
else
  extend_reservation(id, until_ms)
end
return 1
