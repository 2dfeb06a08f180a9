-- Binds a quote to terms. The first terms stay; a later call with the same terms is granted again.
-- KEYS: quote, claim, record. ARGV: terms, client, the replica's clock and its maximum lead over this server's, in
-- milliseconds.
-- Returns a status and, if there is one, the stored value.
-- The replica decides about quotes that have expired but still exist. A quote of another generation is unknown, because
-- its claim or record may have been lost.
local found = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
local quote, claim, record = found[1], found[2], found[3]
if record then
  return {'recorded', record}
end
if not quote then
  return {'unknown'}
end
local ahead_ms = milliseconds_ahead(ARGV[3])
if ahead_ms > tonumber(ARGV[4]) then
  return clock_error(ahead_ms)
end
local generation, hidden = server_generation()
if hidden then
  return hidden
end
if string.sub(quote, 2, 33) ~= generation then
  return {'unknown'}
end
if string.sub(quote, 42, 41 + #ARGV[2]) ~= ARGV[2] then
  return {'client'}
end
if not claim then
  local until_ms = string.format('%.0f', struct.unpack('>I8', quote, 34))
  redis.call('SET', KEYS[2], generation .. ARGV[1], 'PXAT', until_ms)
elseif claim ~= generation .. ARGV[1] then
  return {'terms'}
end
return {'granted', quote}
