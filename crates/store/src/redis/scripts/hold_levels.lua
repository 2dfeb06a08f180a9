-- Stores firm levels until they expire.
-- KEYS: the levels, the generation of the levels of their pool. ARGV: the levels with a placeholder for the generation,
-- their expiry in Unix milliseconds, 1 for a renewal, the generation last seen by this replica (empty: none).
-- Returns 'held', or 'lost' for a renewal of what is not there, and the generation.
local generation, hidden = server_generation()
if hidden then
  return hidden
end
local value, expires_ms, is_renewal, seen = unpack(ARGV)
if is_renewal == '1' then
  local held = redis.call('GET', KEYS[1])
  if not held or string.sub(held, 2, 33) ~= generation then
    return {'lost', generation}
  end
end
changed_at(KEYS[2], generation, seen)
redis.call('SET', KEYS[1], string.sub(value, 1, 1) .. generation .. string.sub(value, 34), 'PXAT', expires_ms)
return {'held', generation}
