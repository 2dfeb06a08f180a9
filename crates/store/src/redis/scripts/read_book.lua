-- Returns the changes of a book since a version, or all of it.
-- KEYS: those of the book, then that of the generation of the pool's totals. ARGV: Unix second, the epoch and the number
-- that this replica follows (empty: none), its name, the channel of the book, the generation of the totals last seen by this
-- replica (empty: none), and the length of their window in seconds. A replica that follows the current epoch has put back
-- what it knows of earlier ones. The totals begin to wait as the book does, not with the first signature.
-- Returns 'changes' or 'whole', the epoch, the number of the last change, the generation, and the changes (kind, id, value
-- each) or the entries (id, entry each).
local now, followed_epoch, known, name, channel = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local seen_totals, window = ARGV[6], tonumber(ARGV[7])
use_book(1, channel)
local epoch, hidden = open_book(followed_epoch,
  unpack(redis.call('HMGET', book.index, 'generation', 'epoch', 'changed_at')))
if hidden then
  return hidden
end
expire(now)
note_replica(name, followed_epoch == epoch)
local generation, _, whole_from, is_known = totals_since(KEYS[8], window, seen_totals)
if is_known and seen_totals ~= generation then
  store_totals_since(KEYS[8], window, generation, whole_from)
end
local number = tonumber(redis.call('HGET', book.index, 'number') or '0')
if followed_epoch == epoch and known and known <= number then
  local missed = redis.call('XRANGE', book.changes, string.format('(%.0f-0', known), '+')
  if #missed == number - known then
    local reply = {'changes', epoch, string.format('%.0f', number), generation}
    for _, change in ipairs(missed) do
      local kind, id_and_value = unpack(change[2])
      reply[#reply + 1] = kind
      reply[#reply + 1] = string.sub(id_and_value, 1, 36)
      reply[#reply + 1] = string.sub(id_and_value, 37)
    end
    return reply
  end
end
local reply = {'whole', epoch, string.format('%.0f', number), generation}
for _, part in ipairs(redis.call('HGETALL', book.entries)) do
  reply[#reply + 1] = part
end
return reply
