-- Amounts and sums are six limbs of 48 bits, each exact in a Lua number.
local LIMBS = '>I6I6I6I6I6I6'
local ZERO = string.rep('\0', 36)
local BASE = 281474976710656
-- Most sums fit the last two limbs.
local NO_HIGH = string.rep('\0', 24)

local function combined(one, other, sign)
  if string.sub(one, 1, 24) == NO_HIGH and string.sub(other, 1, 24) == NO_HIGH then
    local one_high, one_low = struct.unpack('>I6I6', one, 25)
    local other_high, other_low = struct.unpack('>I6I6', other, 25)
    local low = one_low + sign * other_low
    local carry = math.floor(low / BASE)
    local high = one_high + sign * other_high + carry
    if high >= 0 and high < BASE then
      return NO_HIGH .. struct.pack('>I6I6', high, low - carry * BASE)
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
  for position = 1, 36, 6 do
    local first, second = struct.unpack('>I6', one, position), struct.unpack('>I6', other, position)
    if first ~= second then
      return first > second
    end
  end
  return false
end
