-- Sets whether a pool is paused. KEYS: the set. ARGV: the pool, 1 for paused. Sets the opposite first, so that the
-- script always writes, even if the pause does not change: replicas that acknowledge the write have the pause, too.
if ARGV[2] == '1' then
  redis.call('SREM', KEYS[1], ARGV[1])
  redis.call('SADD', KEYS[1], ARGV[1])
else
  redis.call('SADD', KEYS[1], ARGV[1])
  redis.call('SREM', KEYS[1], ARGV[1])
end
return redis.status_reply('OK')
