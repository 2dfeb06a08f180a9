-- Removes the claim for exactly these terms, unless its signature is recorded.
-- KEYS: claim, record. ARGV: terms.
local claim = redis.call('GET', KEYS[1])
if claim and redis.call('EXISTS', KEYS[2]) == 0 and string.sub(claim, 33) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return redis.status_reply('OK')
