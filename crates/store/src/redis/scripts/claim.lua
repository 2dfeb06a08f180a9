-- Binds a quote to terms. The first terms stay; who asks again with the same is granted again.
-- KEYS: quote, claim, record. ARGV: terms, client. Returns a word and, where there is one, the value behind it.
-- Time is not looked at: what is expired but not gone yet is decided by who gets the answer.
local found = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
local quote, claim, record = found[1], found[2], found[3]
if record then
  return {'recorded', record}
end
if not quote then
  return {'unknown'}
end
if string.sub(quote, 10, 9 + #ARGV[2]) ~= ARGV[2] then
  return {'client'}
end
if not claim then
  local until_ms = string.format('%.0f', struct.unpack('>I8', quote, 2))
  redis.call('SET', KEYS[2], ARGV[1], 'PXAT', until_ms)
elseif claim ~= ARGV[1] then
  return {'terms'}
end
return {'granted', quote}
