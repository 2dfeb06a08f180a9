-- Writes entries of a shared hash and publishes a message, in one atomic step. In both, the string "<now ms>" is replaced with
-- the time of Redis in Unix milliseconds, so that all posts have the time of one clock.
-- KEYS: the hash. ARGV: the channel, the message, then a field and its value for each entry.
local time = redis.call('TIME')
local now_ms = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
for i = 2, #ARGV do
  ARGV[i] = string.gsub(ARGV[i], '"<now ms>"', now_ms)
end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
-- A hint, which fails nothing: followers also read the hash.
redis.pcall('PUBLISH', ARGV[1], ARGV[2])
return redis.status_reply('OK')
