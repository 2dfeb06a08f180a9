-- Returns the changes of a book since a version, or all of it.
-- ARGV: Unix second, the epoch and the number that this replica follows (empty: none), its name. A replica that follows
-- the current epoch has put back what it knows of earlier ones.
-- Returns 'changes' or 'whole', the epoch, the number of the last change, and the changes (kind, id, value each) or the
-- entries (id, entry each).
local now = tonumber(ARGV[1])
local epoch, hidden = open_book(now, ARGV[2])
if hidden then
  return hidden
end
expire(now)
note_replica(now, ARGV[4], ARGV[2] == epoch)
local number = tonumber(redis.call('HGET', KEYS[2], 'number') or '0')
local known = tonumber(ARGV[3])
if ARGV[2] == epoch and known and known <= number then
  local missed = redis.call('XRANGE', KEYS[6], string.format('(%.0f-0', known), '+')
  if #missed == number - known then
    local reply = {'changes', epoch, string.format('%.0f', number)}
    for _, change in ipairs(missed) do
      for part = 2, 6, 2 do
        reply[#reply + 1] = change[2][part]
      end
    end
    return reply
  end
end
local reply = {'whole', epoch, string.format('%.0f', number)}
for _, part in ipairs(redis.call('HGETALL', KEYS[1])) do
  reply[#reply + 1] = part
end
return reply
