-- Whether a quote can be bound to terms. The first terms stay; a later call with the same terms is granted again.
-- KEYS: quote, claim, record. ARGV: terms, client, the replica's clock and its maximum lead over this server's, in
-- milliseconds.
-- The replica decides about quotes that have expired but still exist. A quote of another generation is unknown, because
-- its claim or record may have been lost.
-- Returns a refusal or nil, then the quote, the claim that there is, and the generation.
local function claimable()
  local found = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
  local quote, claim, record = found[1], found[2], found[3]
  if record then
    return {'recorded', record}
  end
  if not quote then
    return {'unknown'}
  end
  local ahead_ms = milliseconds_ahead(ARGV[3])
  if ahead_ms > tonumber(ARGV[4]) then
    return clock_error(ahead_ms)
  end
  local generation, hidden = server_generation()
  if hidden then
    return hidden
  end
  if string.sub(quote, 2, 33) ~= generation then
    return {'unknown'}
  end
  if string.sub(quote, 42, 41 + #ARGV[2]) ~= ARGV[2] then
    return {'client'}
  end
  if claim and claim ~= generation .. ARGV[1] then
    return {'terms'}
  end
  return nil, quote, claim, generation
end
