-- Sets whether a pool is paused. KEYS: the set. ARGV: the pool, 1 for paused.
-- First to the contrary: then it is a write even where it changes nothing, and replicas that have it have the pause too.
if ARGV[2] == '1' then
  redis.call('SREM', KEYS[1], ARGV[1])
  redis.call('SADD', KEYS[1], ARGV[1])
else
  redis.call('SADD', KEYS[1], ARGV[1])
  redis.call('SREM', KEYS[1], ARGV[1])
end
return redis.status_reply('OK')
