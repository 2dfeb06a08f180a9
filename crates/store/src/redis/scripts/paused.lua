-- Returns the generation, the numbers of paused pools and of revoked credentials, these, and the fields and values of the
-- trips, of one moment: what is missing in another generation may be lost.
-- KEYS: the set of paused pools, the set of revoked credentials, the trips.
local generation, hidden = server_generation()
if hidden then
  return hidden
end
local pools, revoked = redis.call('SMEMBERS', KEYS[1]), redis.call('SMEMBERS', KEYS[2])
local reply = {generation, tostring(#pools), tostring(#revoked)}
for _, list in ipairs({pools, revoked, redis.call('HGETALL', KEYS[3])}) do
  for _, value in ipairs(list) do
    reply[#reply + 1] = value
  end
end
return reply
