-- Posts entries on a board and publishes a message, in one atomic step.
-- KEYS: the hash. ARGV: the channel, the message, then a field and its value for each entry.
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('PUBLISH', ARGV[1], ARGV[2])
return redis.status_reply('OK')
