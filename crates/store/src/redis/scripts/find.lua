-- Reads a quote and its record; changes nothing.
-- KEYS: quote, record.
-- Returns a status and, if there is one, the stored value.
-- The replica decides about expiry. A quote of another generation is unknown, as in claim.lua.
local found = redis.call('MGET', KEYS[1], KEYS[2])
local quote, record = found[1], found[2]
if record then
  return {'recorded', record}
end
if not quote then
  return {'unknown'}
end
local generation, hidden = server_generation()
if hidden then
  return hidden
end
if string.sub(quote, 2, 33) ~= generation then
  return {'unknown'}
end
return {'stored', quote}
