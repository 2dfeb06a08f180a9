-- Does all that a signature takes at once: checks that its quote can be bound to its terms, charges its volume, enters its
-- swap into the book and records it; each part only if those before it went well, and none while the pool is paused or once
-- it is too late.
-- KEYS: those of each part, one part after the other, then the set of paused pools.
-- ARGV: the pool, and the first millisecond in which its quote can no longer be signed; for each of claim, charge_volume,
-- enter_book and record the number of its keys (0: the part is left out) and of its arguments; then the arguments of each
-- part.
-- Returns 'paused' or 'expired'; the name of the part that refused, and its answer; or 'done', the generation of the totals
-- (empty if nothing was charged), epoch of the book and number of the change that entered the swap (empty if it was there
-- before), and the answer of record.
local parts = {{'claim', claim}, {'charge', charge}, {'enter', enter}, {'record', record}}
if redis.call('SISMEMBER', KEYS[#KEYS], ARGV[1]) == 1 then
  return {'paused'}
end
local _, now_ms = milliseconds_ahead(0)
if now_ms >= tonumber(ARGV[2]) then
  -- Unless the quote was signed in time, by a call whose answer was lost: the third key of record tells.
  if redis.call('EXISTS', KEYS[#KEYS - tonumber(ARGV[2 * #parts + 1]) + 2]) == 0 then
    return {'expired'}
  end
end
local key, argument = 0, 2 + 2 * #parts
local answers = {}
for index, part in ipairs(parts) do
  local keys, arguments = {}, {}
  for at = 1, tonumber(ARGV[2 * index + 1]) do
    keys[at] = KEYS[key + at]
  end
  for at = 1, tonumber(ARGV[2 * index + 2]) do
    arguments[at] = ARGV[argument + at]
  end
  key, argument = key + #keys, argument + #arguments
  if #keys > 0 then
    local answer = part[2](keys, arguments)
    if answer.err then
      return answer
    end
    answers[part[1]] = answer
    local is_done = answer[1] == 'granted' or answer[2] == 'counted' or answer[1] == 'booked' or answer[1] == 'there'
      or part[1] == 'record'
    if not is_done then
      return {part[1], unpack(answer)}
    end
  end
end
local charged = answers.charge and answers.charge[1] or ''
return {'done', charged, answers.enter[2], answers.enter[3], unpack(answers.record)}
