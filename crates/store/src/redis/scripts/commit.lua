-- Does all that a signature takes at once: binds its quote to its terms, enters its swap into the book, charges its volume
-- and records it; or none of that if one of them is refused, while the pool is paused, or once it is too late.
-- KEYS: those of `record`, the set of paused pools, those of the book, then those of `charge` (none: nothing is charged).
-- ARGV: the pool, the client of the quote, the first millisecond in which the quote can no longer be signed and 1 if it is
-- stored ('>I8B'); then those of `record`, those of `enter`, the channel of the book, and those of `charge`.
-- Returns 'paused' or 'expired'; the name of the part that refused ('claim', 'record', 'charge' or 'enter'), and its answer;
-- or 'done', the generation of the totals (empty if nothing was charged), epoch of the book and number of the change that
-- entered the swap (empty if it was there before), and the answer of `record`.
local PAUSED, BOOK, CHARGE = 5, 6, 13
local RECORD_AT, ENTER_AT, CHANNEL_AT, CHARGE_AT = 4, 9, 15, 16

local pool, client = ARGV[1], ARGV[2]
local deadline_ms, is_stored = struct.unpack('>I8B', ARGV[3])
local terms, clock_ms, max_lead_ms = ARGV[RECORD_AT], struct.unpack(CLOCK, ARGV[RECORD_AT + 4])
if redis.call('SISMEMBER', KEYS[PAUSED], pool) == 1 then
  return {'paused'}
end
local found = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
-- Unless the quote was signed in time, by a call whose answer was lost.
if server_ms() >= deadline_ms and not found[3] then
  -- The replica, whose clock is to be trusted, saw it in time.
  return check_delay(clock_ms, max_lead_ms) or {'expired'}
end
if not found[3] then
  -- Before anything is counted: nothing that was is taken back.
  local refused = check_clock(clock_ms, max_lead_ms)
  if refused then
    return refused
  end
end
if is_stored == 1 then
  local refusal = claimable(found, terms, client, clock_ms, max_lead_ms)
  if refusal then
    return refusal.err and refusal or {'claim', unpack(refusal)}
  end
end
-- All that can fail comes before the first write. A record that is there already is returned once the swap is in the book.
local recorded = check_record(found, RECORD_AT)
if recorded and recorded[1] ~= 'recorded' then
  return recorded.err and recorded or {'record', unpack(recorded)}
end
local charged = {''}
local function charge_or_refuse()
  if KEYS[CHARGE] then
    charged = charge(CHARGE, CHARGE_AT)
    if charged[2] ~= 'counted' then
      return charged.err and charged or {'charge', unpack(charged)}
    end
  end
end
use_book(BOOK, ARGV[CHANNEL_AT])
local entered = enter(ENTER_AT, charge_or_refuse)
if entered.err or entered[1] == 'charge' then
  return entered
end
if entered[1] ~= 'booked' and entered[1] ~= 'there' then
  return {'enter', unpack(entered)}
end
return {'done', charged[1], entered[2], entered[3], unpack(recorded or write_record(RECORD_AT))}
