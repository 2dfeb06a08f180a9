-- Binds a quote to terms. Returns a status and, if there is one, the stored value.
local refusal, quote, claim, generation = claimable()
if refusal then
  return refusal
end
if not claim then
  local until_ms = string.format('%.0f', struct.unpack('>I8', quote, 34))
  redis.call('SET', KEYS[2], generation .. ARGV[1], 'PXAT', until_ms)
end
return {'granted', quote}
