-- Returns the generation and the paused pools, of one moment: a set that is empty in another generation may be lost.
-- KEYS: the set.
local generation, hidden = server_generation()
if hidden then
  return hidden
end
return {generation, unpack(redis.call('SMEMBERS', KEYS[1]))}
