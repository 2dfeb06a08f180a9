-- Writes how a signed swap ended, or removes it, and appends a line to the ledger.
-- KEYS: outcome, ledger.
-- ARGV: the outcome (empty: none), its expiry in Unix milliseconds, the line for the ledger and the maximum age of ledger
-- entries in milliseconds.
local known = redis.call('GET', KEYS[1]) or ''
if known == ARGV[1] then
  return redis.status_reply('OK')
end
-- First, because it is the only write that can be refused.
local oldest = string.format('%.0f', math.max(0, server_ms() - tonumber(ARGV[4])))
redis.call('XADD', KEYS[2], 'MINID', '~', oldest, '*', 'entry', ARGV[3])
if ARGV[1] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2])
end
return redis.status_reply('OK')
