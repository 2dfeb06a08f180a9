-- Reads firm levels.
-- KEYS: the levels, the generation of the levels of their pool. ARGV: the generation last seen by this replica (empty: none).
-- Returns 'held', 'lost' if the server may have lost them or what was used of them, or 'expired'; the generation; and the
-- levels that are held.
local generation, hidden = server_generation()
if hidden then
  return hidden
end
local changed = changed_at(KEYS[2], generation, ARGV[1])
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 2, 33) == generation then
  return {'held', generation, held}
end
if held or (changed > 0 and server_ms() < changed + MAX_HELD_MS) then
  return {'lost', generation}
end
return {'expired', generation}
