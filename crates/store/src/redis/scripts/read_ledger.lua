-- Returns the generation, the time of this server in Unix milliseconds, the ids of the first and the last entry of a
-- stream, empty if there is none, and entries after a bound of XRANGE.
-- KEYS: the stream. ARGV: the bound, the maximum number of entries.
local generation, hidden = server_generation()
if hidden then
  return hidden
end
local function id_of(entries)
  return entries[1] and entries[1][1] or ''
end
local first = id_of(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1))
local last = id_of(redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1))
local entries = redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])
return { generation, string.format('%.0f', server_ms()), first, last, entries }
