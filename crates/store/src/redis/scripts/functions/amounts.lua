-- Amounts and sums are six limbs of 48 bits, each exact in a Lua number.
local LIMBS = '>I6I6I6I6I6I6'
local BASE = 281474976710656
local ZERO = string.rep('\0', 36)
-- The same as the first four limbs, of which most have none, and the last two.
local HALVES = '>c24I6I6'
local NO_HIGH = string.rep('\0', 24)

local function combined(one, other, sign)
  local one_first, one_high, one_low = struct.unpack(HALVES, one)
  local other_first, other_high, other_low = struct.unpack(HALVES, other)
  if one_first == NO_HIGH and other_first == NO_HIGH then
    local low = one_low + sign * other_low
    local carry = math.floor(low / BASE)
    local high = one_high + sign * other_high + carry
    if high >= 0 and high < BASE then
      return struct.pack(HALVES, NO_HIGH, high, low - carry * BASE)
    end
  end
  local first, second, carry = {struct.unpack(LIMBS, one)}, {struct.unpack(LIMBS, other)}, 0
  for index = 6, 1, -1 do
    local sum = first[index] + sign * second[index] + carry
    carry = math.floor(sum / BASE)
    first[index] = sum - carry * BASE
  end
  return struct.pack(LIMBS, unpack(first, 1, 6))
end

-- Compared by limbs: Lua compares strings by the locale of the server.
local function exceeds(one, other)
  local one_first, one_high, one_low = struct.unpack(HALVES, one)
  local other_first, other_high, other_low = struct.unpack(HALVES, other)
  if one_first == other_first then
    return one_high > other_high or one_high == other_high and one_low > other_low
  end
  for position = 1, 24, 6 do
    local first, second = struct.unpack('>I6', one, position), struct.unpack('>I6', other, position)
    if first ~= second then
      return first > second
    end
  end
end
