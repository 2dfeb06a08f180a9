-- Reads a quote and its record; changes nothing.
-- KEYS: quote, record.
-- Returns a word and, where there is one, the value behind it.
-- Expiry is decided by the replica. A quote of another generation is unknown, as it is to a claim.
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
