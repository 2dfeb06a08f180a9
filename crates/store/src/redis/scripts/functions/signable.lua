-- Whether an unsigned quote can be signed for these terms. The terms that it is bound to stay.
-- `found` are the quote and its claim; then the terms, the client, the replica's clock and its maximum lead over this
-- server's, in milliseconds.
-- The replica decides about quotes that have expired but still exist. A quote of another generation is unknown, because
-- its claim or record may have been lost.
-- Returns a refusal or nil, then the generation.
local function signable(found, terms, client, clock_ms, max_lead_ms)
  local quote, claim = found[1], found[2]
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
