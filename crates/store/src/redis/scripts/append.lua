-- Appends a line to a ledger that may be on another node than the quote, and trims entries that are too old by the
-- clock of Redis.
-- KEYS: ledger. ARGV: the line, the maximum age of entries in milliseconds.
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local oldest = string.format('%.0f', math.max(0, now_ms - tonumber(ARGV[2])))
redis.call('XADD', KEYS[1], 'MINID', '~', oldest, '*', 'entry', ARGV[1])
return redis.status_reply('OK')
