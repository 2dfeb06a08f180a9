-- Binds a quote to terms. Returns a status and, if there is one, the stored value.
-- KEYS: quote, claim, record. ARGV: those of `claimable` after the first.
local found = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
local refusal, generation = claimable(found, unpack(ARGV))
if refusal then
  return refusal
end
if not found[2] then
  local until_ms = string.format('%.0f', struct.unpack('>I8', found[1], 34))
  redis.call('SET', KEYS[2], generation .. ARGV[1], 'PXAT', until_ms)
end
return {'granted', found[1]}
