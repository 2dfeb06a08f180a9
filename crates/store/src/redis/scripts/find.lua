-- Reads a quote, its record and its outcome; changes nothing.
-- KEYS: quote, record, outcome.
-- Returns a status and, if there is one, the stored value; after a record also the outcome, if there is one.
-- The replica decides about expiry. A quote of another generation is unknown, as in signable.lua.
local found = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
local quote, record, outcome = found[1], found[2], found[3]
if record then
  return {'recorded', record, outcome or nil}
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
