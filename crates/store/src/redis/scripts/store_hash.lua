-- Stores entries of a hash, and lets it expire.
-- KEYS: the hash. ARGV: when it expires in Unix milliseconds, then a name and a value for each entry.
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
return redis.status_reply('OK')
