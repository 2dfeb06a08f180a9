-- Seconds until the pool may sign again: until nothing can be missing from its book, and from its totals.
-- KEYS: those of the book, then that of the generation of the totals. ARGV: how long a signature lasts at most, in seconds.
use_book(1, '')
local generation, hidden = server_generation()
if hidden then
  return hidden
end
local lifetime = tonumber(ARGV[1])
local found = redis.call('HMGET', book.index, 'generation', 'changed_at', 'lifetime', 'lifetime_until')
local delay = 0
if found[1] == generation then
  local changed_at = tonumber(found[2] or '0')
  local known = longest_lifetime(found[3], found[4], changed_at > 0 and changed_at or server_seconds())
  delay = tonumber(seconds_incomplete(changed_at, math.max(lifetime, known)) or '0')
elseif found[1] then
  -- Of another generation, until a replica reads it.
  delay = lifetime
end
local counted = redis.call('GET', KEYS[8])
if counted and string.sub(counted, 1, 32) == generation then
  delay = math.max(delay, tonumber(string.sub(counted, 34)) - server_seconds())
end
return string.format('%.0f', delay)
