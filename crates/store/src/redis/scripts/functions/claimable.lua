-- Whether a quote can be bound to terms. The first terms stay; a later call with the same terms is granted again.
-- `found` are the quote, its claim and its record; then the terms, the client, the replica's clock and its maximum lead
-- over this server's, in milliseconds.
-- The replica decides about quotes that have expired but still exist. A quote of another generation is unknown, because
-- its claim or record may have been lost.
-- Returns a refusal or nil, then the generation.
local function claimable(found, terms, client, clock_ms, max_lead_ms)
  local quote, claim, record = found[1], found[2], found[3]
  if record then
    return {'recorded', record}
  end
  if not quote then
    return {'unknown'}
  end
  local refused = check_clock(clock_ms, max_lead_ms)
  if refused then
    return refused
  end
  local generation, hidden = server_generation()
  if hidden then
    return hidden
  end
  if string.sub(quote, 2, 33) ~= generation then
    return {'unknown'}
  end
  if string.sub(quote, 42, 41 + #client) ~= client then
    return {'client'}
  end
  if claim and claim ~= generation .. terms then
    return {'terms'}
  end
  return nil, generation
end
