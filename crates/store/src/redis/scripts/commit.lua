-- Does all that a signature takes at once: binds its quote to its terms, extends its reservation, enters its swap into the
-- book, charges its volume and records it; or none of that if one of them is refused, while the pool is paused, or once it is
-- too late. Before a signature is made, it checks the same, and only binds the quote.
-- KEYS: quote, claim, record, ledger, the set of paused pools, the swaps of the client, those of the book, those of the budget
-- if a reservation is to be extended, then those of `charge` (none: nothing is charged).
-- ARGV: the pool, the client of the quote, its terms, `COMMITMENT`, the record and its line in the ledger (empty if it is only
-- bound), the expiry of the record in Unix milliseconds, the listing of the swap; then those of `enter`, the channel of the book, and those of
-- `charge`.
-- Returns a status: 'done', with the generation of the totals (empty if nothing was charged), epoch of the book and number of
-- the change that entered the swap (empty if it was there before); 'bound'; 'recorded' with the record; or what speaks against
-- it: 'paused', 'expired', 'unreserved', and 'quote', 'enter' or 'charge' with the answer of that part.
local PAUSED, BOOK, BUDGET = 5, 7, 14
local ENTER_AT, CHANNEL_AT, CHARGE_AT = 9, 15, 16
-- The first millisecond in which the quote can no longer be signed; that from which on its reserved input no longer counts
-- (0: it has none); the replica's clock and its maximum lead over this server's; the maximum age of ledger entries; then 1 if
-- the quote is stored, 1 to only bind it, and 1 to rewrite an existing record.
local COMMITMENT = '>I8I8I8I8I8BBB'

local pool, client, terms, commitment, record, line, expires_ms, listing = unpack(ARGV, 1, 8)
local deadline_ms, reserved_until_ms, clock_ms, max_lead_ms, max_age_ms, is_stored, only_binds, rewrites =
  struct.unpack(COMMITMENT, commitment)
local has_budget = reserved_until_ms > 0
local charge_key = has_budget and BUDGET + 2 or BUDGET

if redis.call('SISMEMBER', KEYS[PAUSED], pool) == 1 then
  return {'paused'}
end
local found = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
if found[3] then
  -- By a call whose answer was lost, or by another replica.
  if rewrites == 1 then
    rewrite_record(found[3])
  end
  return {'recorded', found[3]}
end
if server_ms() >= deadline_ms then
  -- The replica, whose clock is to be trusted, saw it in time.
  return check_delay(clock_ms, max_lead_ms) or {'expired'}
end
-- Before anything is counted: nothing that was is taken back.
local refused = check_clock(clock_ms, max_lead_ms)
if refused then
  return refused
end
local generation
if is_stored == 1 then
  local refusal
  refusal, generation = signable(found, terms, client, clock_ms, max_lead_ms)
  if refusal then
    return refusal.err and refusal or {'quote', unpack(refusal)}
  end
elseif found[2] and string.sub(found[2], 33) ~= terms then
  return {'quote', 'terms'}
end
refused = check_record(expires_ms, clock_ms)
if refused then
  return refused
end
if has_budget then
  use_reservations(BUDGET)
  release_expired(clock_ms)
  if not is_reserved(ARGV[ENTER_AT]) then
    return {'unreserved'}
  end
end

local charged = {''}
-- Called once nothing else speaks against the swap.
local function charge_or_refuse()
  if KEYS[charge_key] then
    charged = charge(charge_key, CHARGE_AT, only_binds == 1)
    if charged[2] ~= 'counted' then
      return charged.err and charged or {'charge', unpack(charged)}
    end
  end
  if only_binds == 1 then
    return {'bound'}
  end
end
use_book(BOOK, ARGV[CHANNEL_AT])
local entered = enter(ENTER_AT, charge_or_refuse)
if entered.err or entered[1] == 'charge' then
  return entered
end
if entered[1] == 'bound' then
  if is_stored == 1 and not found[2] then
    local until_ms = string.format('%.0f', struct.unpack('>I8', found[1], 34))
    redis.call('SET', KEYS[2], generation .. terms, 'PXAT', until_ms)
  end
  return entered
end
if entered[1] ~= 'booked' and entered[1] ~= 'there' then
  return {'enter', unpack(entered)}
end
if has_budget then
  extend_reservation(ARGV[ENTER_AT], string.format('%.0f', reserved_until_ms))
end
write_record(record, expires_ms, line, max_age_ms, listing)
return {'done', charged[1], entered[2], entered[3]}
