-- Writes how a signed swap ended, or removes it, and appends a line to the ledger if it is on the same node.
-- KEYS: outcome and, where it is on the same node, the ledger.
-- ARGV: the outcome (empty: none), its expiry in Unix milliseconds, the line for the ledger and the maximum age of ledger
-- entries in milliseconds.
local known = redis.call('GET', KEYS[1]) or ''
if known == ARGV[1] then
  return redis.status_reply('OK')
end
if KEYS[2] then
  -- First, because it is the only write that can be refused.
  local time = redis.call('TIME')
  local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
  local oldest = string.format('%.0f', math.max(0, now_ms - tonumber(ARGV[4])))
  redis.call('XADD', KEYS[2], 'MINID', '~', oldest, '*', 'entry', ARGV[3])
end
if ARGV[1] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2])
end
return redis.status_reply('OK')
