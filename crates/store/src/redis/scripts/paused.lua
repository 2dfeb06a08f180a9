-- Returns the generation, the number of paused pools, these, and the fields and values of the trips, of one moment: what
-- is missing in another generation may be lost.
-- KEYS: the set of paused pools, the trips.
local generation, hidden = server_generation()
if hidden then
  return hidden
end
local pools = redis.call('SMEMBERS', KEYS[1])
local reply = {generation, tostring(#pools), unpack(pools)}
for _, part in ipairs(redis.call('HGETALL', KEYS[2])) do
  reply[#reply + 1] = part
end
return reply
