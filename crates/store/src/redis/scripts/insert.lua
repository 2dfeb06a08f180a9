-- Stores a quote with the generation of this server. Used in a Cluster, where only the node that stores the quote knows
-- its generation.
-- KEYS: quote. ARGV: the quote with a placeholder for the generation, its expiry in Unix milliseconds.
local generation, hidden = server_generation()
if hidden then
  return hidden
end
local quote = string.sub(ARGV[1], 1, 1) .. generation .. string.sub(ARGV[1], 34)
redis.call('SET', KEYS[1], quote, 'NX', 'PXAT', ARGV[2])
return redis.status_reply('OK')
