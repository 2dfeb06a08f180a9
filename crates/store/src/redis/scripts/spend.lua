-- Adds a trade to each total, or to none if one would exceed its limit.
-- KEYS: the totals, on one node. ARGV: the Unix second, the length of the window in seconds, the value, then the limit of
-- each total. Returns nothing when the trade is counted, and otherwise what stands under each key.
-- A total is a line for each second in which something was signed, oldest first: the second, a space, the steps.
-- `spending/minute.rs` says how they are counted; these are the same rules.

-- Steps go up to 2^64 and numbers are exact up to 2^53. So an amount is two numbers: thousand millions of steps, and the
-- rest; neither gets anywhere near 2^53, however many are added.
local THOUSAND_MILLIONS = 1000000000

local function amount(steps)
  return { high = tonumber(string.sub(steps, 1, -10)) or 0, low = tonumber(string.sub(steps, -9)) }
end

local function sum(a, b)
  local low = a.low + b.low
  local carry = math.floor(low / THOUSAND_MILLIONS)
  return { high = a.high + b.high + carry, low = low - carry * THOUSAND_MILLIONS }
end

local function exceeds(a, b)
  return a.high > b.high or (a.high == b.high and a.low > b.low)
end

local function text(a)
  if a.high == 0 then
    return string.format('%.0f', a.low)
  end
  return string.format('%.0f%09.0f', a.high, a.low)
end

local now, window, value = tonumber(ARGV[1]), tonumber(ARGV[2]), amount(ARGV[3])

-- The second of the last line, which is no longer than 32 bytes.
local function newest_of(lines)
  return tonumber(string.match(string.sub(lines, -32), '(%d+) %d+\n$')) or 0
end

-- What stands there with the trade, and whether that may be written: it is within the limit, and was read whole.
local function with_trade(lines, limit)
  local present = math.max(now, newest_of(lines))
  local total, newest, kept, length = value, value, {}, 0
  for second, steps in string.gmatch(lines, '(%d+) (%d+)\n') do
    length = length + #second + #steps + 2
    local age = present - tonumber(second)
    if age <= window then
      total = sum(total, amount(steps))
      if age == 0 then
        newest = sum(newest, amount(steps))
      else
        kept[#kept + 1] = second .. ' ' .. steps .. '\n'
      end
    end
  end
  kept[#kept + 1] = string.format('%.0f %s\n', present, text(newest))
  return table.concat(kept), length == #lines and not exceeds(total, limit)
end

local before, after, may_all_be_written = {}, {}, true
for side, key in ipairs(KEYS) do
  before[side] = redis.call('GET', key) or ''
  local lines, may_be_written = with_trade(before[side], amount(ARGV[3 + side]))
  after[side] = lines
  may_all_be_written = may_all_be_written and may_be_written
end
if not may_all_be_written then
  return before
end
for side, key in ipairs(KEYS) do
  -- By the clock of this server: gone when the trade is, also if the second was that of a clock far ahead.
  redis.call('SET', key, after[side], 'PX', string.format('%.0f', (window + 1) * 1000))
end
return false
