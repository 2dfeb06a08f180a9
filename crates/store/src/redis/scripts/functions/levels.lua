-- Which levels a change of the server's generation may have lost.

-- Milliseconds after a change for which levels that are missing may be lost: longer than any hold.
local MAX_HELD_MS = 60000

-- Returns the milliseconds in which the generation changed (0: not as far as is known). The key holds the generation, a
-- space and this time. A missing key means that no levels were held for some time, unless this replica has seen another
-- generation (empty: none).
local function changed_at(key, generation, seen)
  local marker = redis.call('GET', key)
  local changed = 0
  if marker and string.sub(marker, 1, 32) == generation then
    changed = tonumber(string.sub(marker, 34))
  elseif marker or (seen ~= '' and seen ~= generation) then
    changed = server_ms()
  end
  redis.call('SET', key, string.format('%s %.0f', generation, changed), 'PX', 2 * MAX_HELD_MS)
  return changed
end
