-- Sets whether a pool is paused. Sets the opposite first, so that the script always writes, even if the pause does not
-- change: replicas that acknowledge the write have the pause, too. Resuming ends the trips of the pool and removes its
-- samples.
-- KEYS: the set of paused pools, the trips, the operator's stream, the samples of the pool.
-- ARGV: the pool, 1 for paused, the entry (empty: none), the maximum age of entries in milliseconds, the time in Unix
-- microseconds.
append_entry(KEYS[3], ARGV[3], ARGV[4])
if ARGV[2] == '1' then
  redis.call('SREM', KEYS[1], ARGV[1])
  redis.call('SADD', KEYS[1], ARGV[1])
  return redis.status_reply('OK')
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('SREM', KEYS[1], ARGV[1])
local trips = redis.call('HGETALL', KEYS[2])
for i = 1, #trips, 2 do
  if string.sub(trips[i], 1, #ARGV[1] + 1) == ARGV[1] .. ' ' then
    redis.call('HDEL', KEYS[2], trips[i])
  end
end
redis.call('HSET', KEYS[2], ARGV[1] .. ' resumed', ARGV[5])
redis.call('DEL', KEYS[4])
return redis.status_reply('OK')
