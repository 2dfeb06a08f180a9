-- Stores a sample of a pool, unless there is one for the same interval, and drops the oldest.
-- KEYS: the samples. ARGV: the number of the interval, the sample, the number of the first interval that is kept, when all
-- expire in Unix milliseconds.
if #redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], ARGV[1]) == 0 then
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
  for _, sample in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[3])) do
    redis.call('ZREM', KEYS[1], sample)
  end
  redis.call('PEXPIREAT', KEYS[1], ARGV[4])
end
return redis.status_reply('OK')
