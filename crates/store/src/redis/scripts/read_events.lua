-- Returns the generation, whether entries after the positions may be missing, and for each of two streams the id of its last
-- entry (empty: none) and its entries after a position.
-- KEYS: the streams. ARGV: the maximum number of entries, the generation of the positions (empty: only the last ids), then
-- for each stream the position.
local generation, hidden = server_generation()
if hidden then
  return hidden
end
local reply = {generation, '0'}
for i = 1, 2 do
  local key, position = KEYS[i], ARGV[2 + i]
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  reply[#reply + 1] = last and last[1] or ''
  local entries = {}
  if ARGV[2] ~= '' then
    -- An entry that is still there shows that none after it was dropped.
    if position ~= '0-0' and #redis.call('XRANGE', key, position, position) == 0 then
      reply[2] = '1'
    end
    entries = redis.call('XRANGE', key, '(' .. position, '+', 'COUNT', ARGV[1])
  end
  reply[#reply + 1] = entries
end
if ARGV[2] ~= '' and ARGV[2] ~= generation then
  reply[2] = '1'
end
return reply
