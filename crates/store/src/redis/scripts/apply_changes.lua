-- Applies changes to a book; those that are in it already are skipped.
-- KEYS: those of the book. ARGV: Unix second, the epoch that this replica follows (empty: none), then for each change its
-- kind ('e', 's', 'r'), quote id and value: the entry, or state and block; then the channel of the book.
local now, followed_epoch = tonumber(ARGV[1]), ARGV[2]
use_book(1, ARGV[#ARGV])
local _, hidden = open_book(followed_epoch,
  unpack(redis.call('HMGET', book.index, 'generation', 'epoch', 'changed_at')))
if hidden then
  return hidden
end
expire(now)
for index = 3, #ARGV - 1, 3 do
  local kind, id, value = ARGV[index], ARGV[index + 1], ARGV[index + 2]
  if kind == 'e' then
    if redis.call('HEXISTS', book.entries, id) == 0 then
      insert(id, value)
    end
  elseif kind == 's' then
    set_state(id, value)
  else
    remove(id)
  end
end
return redis.status_reply('OK')
