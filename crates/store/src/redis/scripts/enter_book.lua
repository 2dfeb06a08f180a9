-- Enters a swap into a book, if it is sound beside the others and within the limits.
-- ARGV: quote id, entry, Unix second, block of the reserves (empty: none), the largest inflow and outflow of the other
-- swaps, the limits of the pool's outflow, of the client's outflow and of its inflow (empty: none), the epoch that this
-- replica follows (empty: none), how long a signature lasts at most, in seconds, 1 if the contract executes each
-- signature once, epoch and number of the change up to which the bounds consider guaranteed swaps (empty: none), and
-- the limit of the outflow of its origin (empty: none).
-- Returns a status, the epoch and the number of the last change; after 'wait' the seconds instead.
local id, entry, now, block = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local epoch, hidden, changed_at = open_book(now, ARGV[10])
if hidden then
  return hidden
end
expire(now)

local function answer(status)
  return {status, epoch, redis.call('HGET', KEYS[2], 'number') or '0'}
end

if redis.call('HEXISTS', KEYS[1], id) == 1 then
  return {'there', epoch, ''}
end
local wait = seconds_incomplete(now, changed_at, tonumber(ARGV[11]))
if wait then
  return {'wait', wait}
end
if ARGV[12] == '1' and redis.call('HEXISTS', KEYS[3], offer_of(entry)) == 1 then
  return answer('equal')
end
local input, output = field(entry, 'input'), field(entry, 'output')
local inflow, outflow, of_input, of_output = flows(input, output, block, client_of(entry))
local guaranteed = redis.call('HGET', KEYS[2], 'guaranteed')
if guaranteed and (ARGV[13] ~= epoch or tonumber(guaranteed) > tonumber(ARGV[14])) then
  return answer('moved')
end
if exceeds(inflow, ARGV[5]) or exceeds(outflow, ARGV[6]) then
  return answer('moved')
end
local amount_in, amount_out = field(entry, 'input_amount'), field(entry, 'output_amount')
if ARGV[7] ~= '' and exceeds(combined(outflow, amount_out, 1), ARGV[7]) then
  return answer('pool')
end
if of_input ~= ZERO or of_output ~= ZERO then
  local is_over_out = ARGV[8] ~= '' and exceeds(combined(of_output, amount_out, 1), ARGV[8])
  local is_over_in = ARGV[9] ~= '' and exceeds(combined(of_input, amount_in, 1), ARGV[9])
  if is_over_out or is_over_in then
    return answer('client')
  end
end
if ARGV[15] ~= '' and origin_of(entry) then
  local of_origin = redis.call('HGET', KEYS[2], 'o' .. output .. origin_of(entry))
  if of_origin and exceeds(combined(of_origin, amount_out, 1), ARGV[15]) then
    return answer('client')
  end
end
return {'booked', epoch, string.format('%.0f', insert(id, entry))}
