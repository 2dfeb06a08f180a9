-- Stores estimates, and lets the hash expire a day after the last of them.
-- KEYS: the hash. ARGV: when it expires in Unix milliseconds, then a name and its estimate for each entry.
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
return redis.status_reply('OK')
