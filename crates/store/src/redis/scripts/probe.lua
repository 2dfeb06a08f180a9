-- Runs every command that scripts run on a key of its own, since one that is refused halfway leaves what was written before.
-- KEYS: the key. ARGV: the channel of the books.
-- Returns the commands that are refused, each with the reason.
local refused = {}

local function try(command, ...)
  local reply = redis.pcall(command, ...)
  if type(reply) == 'table' and reply.err then
    refused[#refused + 1] = command .. ' (' .. reply.err .. ')'
  end
end

local key = KEYS[1]
for _, step in ipairs({
  {'TIME'}, {'INFO', 'replication'}, {'PUBLISH', ARGV[1], ''},
  {'DEL', key}, {'SET', key, '1', 'PX', '1000'}, {'GET', key}, {'MGET', key},
  {'PEXPIREAT', key, '1'},
  {'HSET', key, 'field', '1'}, {'HGET', key, 'field'}, {'HMGET', key, 'field'}, {'HEXISTS', key, 'field'}, {'HGETALL', key},
  {'HDEL', key, 'field'},
  {'SADD', key, 'member'}, {'SISMEMBER', key, 'member'}, {'SMEMBERS', key}, {'SREM', key, 'member'},
  {'ZADD', key, '1', 'member'}, {'ZRANGE', key, '0', '-1'}, {'ZRANGEBYSCORE', key, '0', '1'}, {'ZREM', key, 'member'},
  {'XADD', key, '*', 'field', '1'}, {'XRANGE', key, '-', '+'}, {'XREVRANGE', key, '+', '-'},
  {'DEL', key},
}) do
  try(unpack(step))
end
return refused
