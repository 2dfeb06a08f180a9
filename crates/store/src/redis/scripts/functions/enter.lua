-- Enters a swap into a book, if it is sound with the others and within the limits, and `charge` returns no refusal: it is
-- called once nothing else speaks against the swap.
-- ARGV from `at` on: quote id, entry, `BOOKING`, the epoch that this replica follows (empty: none), epoch and number of the
-- change up to which the bounds consider guaranteed swaps (empty: none).
-- Returns a status, the epoch and the number of the last change; after 'wait' the seconds instead.

-- The Unix second; how long a signature lasts at most, in seconds; the limits of the number of the client's swaps that count
-- for it, and of those in the book in any state; 1 if the contract executes each signature once; the block of the
-- reserves (NO_BLOCK: none); the largest inflow and outflow of the other swaps; the limits of the outflow of the pool, of
-- the client and of its source network, and of the inflow of the client. A limit of which all bits are set is none.
local BOOKING = '>I4I4I4I4Bc8c36c36c36c36c36c36'
local NO_LIMIT = string.rep('\255', 36)

-- Sums of closed swaps that are added up for the reserves of a replica: more would keep all other calls waiting. Such a
-- replica is so many blocks behind that it has to read newer reserves first.
local MAX_CLOSED_SUMS = 1024

-- Adds to inflow and outflow of the tokens of an entry what settled or lapsed after `block`. Returns nothing if these are
-- too many blocks.
local function with_later(entry, inflow, outflow, block)
  if block == NO_BLOCK then
    return inflow, outflow
  end
  local after = string.format('(%.0f', struct.unpack('>I8', block))
  local fields = redis.call('ZRANGEBYSCORE', book.closed, after, '+inf', 'LIMIT', 0, MAX_CLOSED_SUMS + 1)
  if #fields > MAX_CLOSED_SUMS then
    return nil
  end
  local closed_inflow, closed_outflow = closed_sums_of(entry)
  for _, field in ipairs(fields) do
    local name = string.sub(field, 10)
    if name == closed_inflow then
      inflow = combined(inflow, redis.call('HGET', book.index, field), 1)
    elseif name == closed_outflow then
      outflow = combined(outflow, redis.call('HGET', book.index, field), 1)
    end
  end
  return inflow, outflow
end

local function enter(at, charge)
  local id, text, booking, followed_epoch, checked_epoch, checked_number = unpack(ARGV, at, at + 5)
  local now, lifetime, client_swaps, client_entries, is_single_use, block, max_inflow, max_outflow, pool_outflow, client_outflow,
    network_outflow, client_inflow = struct.unpack(BOOKING, booking)
  local entry = parsed(text)
  expire(now)
  local there = redis.call('HGET', book.entries, id)
  local found = redis.call('HMGET', book.index, 'generation', 'epoch', 'changed_at', 'guaranteed', 'lifetime',
    'lifetime_until', fields_of(entry))
  local epoch, hidden, changed_at = open_book(followed_epoch, found[1], found[2], found[3])
  if hidden then
    return hidden
  end
  if there then
    -- A signature for other terms may be on its way, or recorded.
    if not have_same_terms(parsed(there), entry) then
      return {'equal', epoch, ''}
    end
    local refused = charge()
    if refused then
      return refused
    end
    -- Changes nothing: replicas of this server that acknowledge this write have the entry, too.
    redis.call('HSET', book.entries, id, there)
    return {'there', epoch, ''}
  end
  local guaranteed = found[4]
  local known_lifetime = longest_lifetime(found[5], found[6], changed_at > 0 and changed_at or server_seconds())
  local is_lifetime_known = known_lifetime > lifetime
    or known_lifetime == lifetime and tonumber(found[6]) >= server_seconds() + lifetime
  found = {unpack(found, 7)}
  local number, _, equal, swaps_of_client, entries_of_client, inflow, outflow, of_client_in, of_client_out, _, of_network = unpack(found)
  local function answer(status)
    return {status, epoch, number or '0'}
  end

  local wait = seconds_incomplete(changed_at, math.max(lifetime, known_lifetime))
  if wait then
    return {'wait', wait}
  end
  if is_single_use == 1 and equal then
    return answer('equal')
  end
  if guaranteed and (checked_epoch ~= epoch or tonumber(guaranteed) > tonumber(checked_number)) then
    return answer('moved')
  end
  inflow, outflow = with_later(entry, inflow or ZERO, outflow or ZERO, block)
  if not inflow or exceeds(inflow, max_inflow) or exceeds(outflow, max_outflow) then
    return answer('moved')
  end
  local function is_over(sum, amount, limit)
    return limit ~= NO_LIMIT and exceeds(combined(sum or ZERO, amount, 1), limit)
  end
  if is_over(outflow, entry.output_amount, pool_outflow) then
    return answer('pool')
  end
  if tonumber(swaps_of_client or '0') >= client_swaps or tonumber(entries_of_client or '0') >= client_entries then
    return answer('client')
  end
  if swaps_of_client and (is_over(of_client_out, entry.output_amount, client_outflow)
    or is_over(of_client_in, entry.input_amount, client_inflow)) then
    return answer('client')
  end
  if of_network and is_over(of_network, entry.output_amount, network_outflow) then
    return answer('client')
  end
  local refused = charge()
  if refused then
    return refused
  end
  if not is_lifetime_known then
    -- Written once while a signature lasts.
    redis.call('HSET', book.index, 'lifetime', tostring(lifetime),
      'lifetime_until', string.format('%.0f', server_seconds() + 2 * lifetime))
  end
  return {'booked', epoch, change('e', id, text, nil, entry, found)}
end
