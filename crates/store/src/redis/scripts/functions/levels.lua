-- Which levels a change of the server's generation may have lost.

-- Milliseconds after a change for which levels that are missing may be lost: longer than any hold.
local MAX_HELD_MS = 60000

-- Returns the milliseconds in which the generation changed (0: not as far as is known). The key holds the generation, a
-- space and this time or, if no change is known, the time in which the generation was first seen, below zero. A missing key
-- means that no levels were held for some time, unless this replica has seen another generation (empty: none).
local function changed_at(key, generation, seen)
  local marker, knows_more = redis.call('GET', key), seen ~= '' and seen ~= generation
  local changed = -server_ms()
  if marker and string.sub(marker, 1, 32) == generation then
    changed = tonumber(string.sub(marker, 34))
  end
  -- Also if another replica, which had seen no levels before, was the first to see this generation.
  if knows_more and changed < 0 or marker and string.sub(marker, 1, 32) ~= generation then
    changed = math.abs(changed)
  end
  redis.call('SET', key, string.format('%s %.0f', generation, changed), 'PX', 2 * MAX_HELD_MS)
  return math.max(0, changed)
end
