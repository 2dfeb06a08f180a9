-- Adds a trade to each total, or to none of them if one would exceed its limit, or if it is only checked.
-- KEYS from `key` on, to the last: the generation of the totals, then the totals, all on one node.
-- ARGV from `at` on: the Unix second, the length of the window in seconds, the value, the generation of the totals last seen
-- by this replica (empty: none), then the limit of each total.
-- Returns the generation and a status: 'counted' (also if it is only checked); 'wait' with the second from which the totals are complete again;
-- 'refused' with the value of each total.
-- A total has one line per second with signed volume, oldest first: the second, a space, the steps. The rules are those
-- of `volume/window.rs`. A first line of the second 0 has the sum of the others, so that they need not be added up; replicas
-- of earlier releases take it for one that has left the window, and drop it.
local function charge(key, at, only_check)
  -- Steps go up to 2^64, and Lua numbers are exact up to 2^53. An amount is therefore split in two: billions of steps,
  -- and the rest. Neither comes near 2^53 when the lines of a minute are added up.
  local THOUSAND_MILLIONS = 1000000000

  local function split(steps)
    return tonumber(string.sub(steps, 1, -10)) or 0, tonumber(string.sub(steps, -9))
  end

  local function carried(high, low)
    local carry = math.floor(low / THOUSAND_MILLIONS)
    return high + carry, low - carry * THOUSAND_MILLIONS
  end

  local function exceeds(high, low, most)
    local most_high, most_low = split(most)
    return high > most_high or (high == most_high and low > most_low)
  end

  local function text(high, low)
    if high == 0 then
      return string.format('%.0f', low)
    end
    return string.format('%.0f%09.0f', high, low)
  end

  -- Iterates over the lines from `position` on, up to the first that cannot be parsed: the second, the steps, and the
  -- position of the next line.
  local function lines_from(lines, position)
    return function()
      local second, steps
      second, steps, position = string.match(lines, '^(%d+) (%d+)\n()', position)
      return tonumber(second), steps, position
    end
  end

  -- Returns the sum of all lines, and the position after the last one that could be parsed.
  local function sum_of(lines)
    local sum_high, sum_low, position = 0, 0, 1
    for _, steps, next_position in lines_from(lines, 1) do
      local high, low = split(steps)
      sum_high, sum_low, position = sum_high + high, sum_low + low, next_position
    end
    return sum_high, sum_low, position
  end

  local now, window, value, seen = unpack(ARGV, at, at + 3)
  now, window = tonumber(now), tonumber(window)
  local value_high, value_low = split(value)

  -- Returns the total with the trade added, and whether it may be written: it is within the limit, and its lines could be
  -- parsed.
  local function with_trade(lines, most)
    local total_high, total_low, first
    local second, sum, next_position = lines_from(lines, 1)()
    if second == 0 then
      total_high, total_low = split(sum)
      first = next_position
    else
      local parsed_until
      total_high, total_low, parsed_until = sum_of(lines)
      if parsed_until <= #lines then
        return lines, false
      end
      first = 1
    end
    -- A line has at most 32 bytes.
    local newest, newest_steps = string.match(string.sub(lines, -32), '(%d+) (%d+)\n$')
    local present, last = math.max(now, tonumber(newest) or 0), #lines
    local is_in_window = false
    for line_second, steps, next_line in lines_from(lines, first) do
      is_in_window = present - line_second <= window
      if is_in_window then
        break
      end
      local high, low = split(steps)
      total_high, total_low, first = total_high - high, total_low - low, next_line
    end
    if not is_in_window and first <= last then
      return lines, false
    end
    local newest_high, newest_low = value_high, value_low
    if tonumber(newest) == present then
      local high, low = split(newest_steps)
      newest_high, newest_low = carried(value_high + high, value_low + low)
      last = last - #newest - #newest_steps - 2
    end
    total_high, total_low = carried(total_high + value_high, total_low + value_low)
    local after = string.format('0 %s\n', text(total_high, total_low)) .. string.sub(lines, first, last)
      .. string.format('%.0f %s\n', present, text(newest_high, newest_low))
    return after, not exceeds(total_high, total_low, most)
  end

  local generation, hidden, whole_from = totals_since(KEYS[key], window, seen)
  if hidden then
    return hidden
  end
  store_totals_since(KEYS[key], window, generation, whole_from)
  if now < whole_from then
    return {generation, 'wait', string.format('%.0f', whole_from)}
  end

  local before, after, may_all_be_written = {}, {}, true
  for side = 1, #KEYS - key do
    before[side] = redis.call('GET', KEYS[key + side]) or ''
    local lines, may_be_written = with_trade(before[side], ARGV[at + 3 + side])
    after[side] = lines
    may_all_be_written = may_all_be_written and may_be_written
  end
  if not may_all_be_written then
    return {generation, 'refused', unpack(before)}
  end
  for side = 1, only_check and 0 or #KEYS - key do
    -- The expiry is by the clock of this server, so that the total expires with the trade even if the second came from a
    -- clock that is far ahead.
    redis.call('SET', KEYS[key + side], after[side], 'PX', string.format('%.0f', (window + 1) * 1000))
  end
  return {generation, 'counted'}
end
