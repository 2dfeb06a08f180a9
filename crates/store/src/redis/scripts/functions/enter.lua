-- Enters a swap into a book, if it is sound with the others and within the limits, and `charge` returns no refusal: it is
-- called once nothing else speaks against the swap.
-- ARGV from `at` on: quote id, entry, Unix second, block of the reserves (empty: none), the largest inflow and outflow of
-- the other swaps, the limits of the pool's outflow, of the client's outflow and of its inflow (empty: none), the epoch that
-- this replica follows (empty: none), how long a signature lasts at most, in seconds, 1 if the contract executes each
-- signature once, epoch and number of the change up to which the bounds consider guaranteed swaps (empty: none), the
-- limit of the outflow of its source network (empty: none), and that of the number of the client's swaps (empty: none).
-- Returns a status, the epoch and the number of the last change; after 'wait' the seconds instead.

-- Returns a sum with what settled or lapsed after `block`; `token` and `amount` name the fields of entries.
local function with_later(sum, closed, entry, token, amount)
  for _, other in ipairs(closed) do
    if other[token] == entry[token] then
      sum = combined(sum, other[amount], 1)
    end
  end
  return sum
end

local function closed_after(block)
  local closed = {}
  if block ~= '' then
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', book.closed, '(' .. block, '+inf')) do
      local text = redis.call('HGET', book.entries, id)
      if text then
        closed[#closed + 1] = parsed(text)
      end
    end
  end
  return closed
end

local function enter(at, charge)
  local id, text, now, block, max_inflow, max_outflow, pool_outflow, client_outflow, client_inflow, followed_epoch,
    lifetime, is_single_use, checked_epoch, checked_number, network_outflow, client_swaps = unpack(ARGV, at, at + 15)
  now = tonumber(now)
  local entry = parsed(text)
  expire(now)
  local there = redis.call('HGET', book.entries, id)
  local found = redis.call('HMGET', book.index, 'generation', 'epoch', 'changed_at', 'guaranteed', fields_of(entry))
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
  found = {unpack(found, 5)}
  local number, _, equal, swaps_of_client, inflow, outflow, of_client_in, of_client_out, _, of_network = unpack(found)
  local function answer(status)
    return {status, epoch, number or '0'}
  end

  local wait = seconds_incomplete(changed_at, tonumber(lifetime))
  if wait then
    return {'wait', wait}
  end
  if is_single_use == '1' and equal then
    return answer('equal')
  end
  if guaranteed and (checked_epoch ~= epoch or tonumber(guaranteed) > tonumber(checked_number)) then
    return answer('moved')
  end
  local closed = closed_after(block)
  inflow = with_later(inflow or ZERO, closed, entry, 'input', 'input_amount')
  outflow = with_later(outflow or ZERO, closed, entry, 'output', 'output_amount')
  if exceeds(inflow, max_inflow) or exceeds(outflow, max_outflow) then
    return answer('moved')
  end
  local function is_over(sum, amount, limit)
    return limit ~= '' and exceeds(combined(sum or ZERO, amount, 1), limit)
  end
  if is_over(outflow, entry.output_amount, pool_outflow) then
    return answer('pool')
  end
  if client_swaps ~= '' and tonumber(swaps_of_client or '0') >= tonumber(client_swaps) then
    return answer('client')
  end
  if swaps_of_client and (is_over(of_client_out, entry.output_amount, client_outflow)
    or is_over(of_client_in, entry.input_amount, client_inflow)) then
    return answer('client')
  end
  if of_network and is_over(of_network, entry.output_amount, network_outflow) then
    return answer('client')
  end
  return charge() or {'booked', epoch, change('e', id, text, nil, entry, found)}
end
