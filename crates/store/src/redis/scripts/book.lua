-- Prepended to every script that reads or changes a book, after the generation.
-- KEYS of every such script, all on the node of the pool: entries (hash: quote id, entry), sums (hash), offers (hash:
-- offer, quote id), deadlines (sorted set: quote id, Unix second), closed (sorted set: quote id, block), changes
-- (stream), replicas (sorted set: name, Unix second in which it was last seen), restored (set: names of the replicas
-- that have put back what they know).
-- The last of ARGV is the channel on which changes are announced.
-- An entry starts with fields of fixed length, see ENTRY; what follows them is read by the replicas alone.
-- Sums are keyed by 'i' (inflow) or 'o' (outflow) and token, for a client or an origin with its name appended; 'number' is the number
-- of the last change, 'guaranteed' of the last one that made a guaranteed swap outstanding. 'epoch' names the numbering of a generation; 'changed_at' is the Unix second in which the current
-- generation began while entries of the one before may be missing, else 0; 'is_blind' is 1 if it is not known either which
-- replicas there were.

-- Seconds for which a replica counts after it was last seen.
local PRESENCE = 60

-- Begins a new epoch if the generation of the server changed. Returns the epoch, an error if the server hides its
-- generation, and the time since which entries may be missing (0: none are). A missing book is a new one, unless this
-- replica follows an earlier epoch.
local function open_book(now, followed_epoch)
  local generation, hidden = server_generation()
  if hidden then
    return nil, hidden
  end
  local found = redis.call('HMGET', KEYS[2], 'generation', 'epoch', 'changed_at')
  if found[1] == generation then
    return found[2], nil, tonumber(found[3] or '0')
  end
  local time = redis.call('TIME')
  local epoch = string.format('%s%06d', time[1], time[2])
  local is_new = not found[1] and followed_epoch == ''
  local is_blind = redis.call('EXISTS', KEYS[7]) == 0
  redis.call('HSET', KEYS[2], 'generation', generation, 'epoch', epoch, 'changed_at', is_new and '0' or tostring(now),
    'is_blind', is_blind and '1' or '0')
  redis.call('DEL', KEYS[8])
  return epoch, nil, is_new and 0 or now
end

-- Seconds until nothing can be missing, if something may be since `changed_at`; `lifetime` is how long a signature lasts at
-- most.
local function seconds_incomplete(now, changed_at, lifetime)
  if changed_at == 0 or changed_at + lifetime <= now then
    return nil
  end
  return string.format('%.0f', changed_at + lifetime - now)
end

-- Notes that a replica is there, and whether it has put back what it knows. If all have, nothing is missing.
local function note_replica(now, name, has_restored)
  redis.call('ZADD', KEYS[7], now, name)
  redis.call('ZREMRANGEBYSCORE', KEYS[7], '-inf', now - 10 * PRESENCE)
  if not has_restored then
    return
  end
  redis.call('SADD', KEYS[8], name)
  local found = redis.call('HMGET', KEYS[2], 'changed_at', 'is_blind')
  local changed_at = tonumber(found[1] or '0')
  if changed_at == 0 or found[2] == '1' then
    return
  end
  for _, replica in ipairs(redis.call('ZRANGEBYSCORE', KEYS[7], changed_at - PRESENCE, '+inf')) do
    if redis.call('SISMEMBER', KEYS[8], replica) == 0 then
      return
    end
  end
  redis.call('HSET', KEYS[2], 'changed_at', '0')
end

-- First and last byte of each field.
local ENTRY = {
  state = {1, 1}, block = {2, 21}, input = {22, 61}, input_amount = {62, 133}, output = {134, 173},
  output_amount = {174, 245}, deadline = {246, 255}, end_of_penalty = {256, 265},
  offer_tail = {266, 315}, guarantee = {316, 316}, origin = {317, 332},
  client_length = {333, 336},
}

local function field(entry, name)
  return string.sub(entry, ENTRY[name][1], ENTRY[name][2])
end

local function client_of(entry)
  return string.sub(entry, 337, 336 + tonumber(field(entry, 'client_length')))
end

-- The name of its origin among the sums, where no client has one; nil without an origin.
local function origin_of(entry)
  local origin = field(entry, 'origin')
  return origin ~= string.rep('-', 16) and '@' .. origin or nil
end

local function offer_of(entry)
  return string.sub(entry, 22, 245) .. field(entry, 'offer_tail')
end

-- Amounts and sums are 72 hexadecimal digits: six limbs of 48 bits, each exact in a Lua number.
local ZERO = string.rep('0', 72)
local BASE = 281474976710656

local function limb(number, index)
  return tonumber(string.sub(number, index * 12 - 11, index * 12), 16)
end

-- Most sums fit the last two limbs.
local NO_HIGH = string.rep('0', 48)

local function combined(one, other, sign)
  if string.sub(one, 1, 48) == NO_HIGH and string.sub(other, 1, 48) == NO_HIGH then
    local low = limb(one, 6) + sign * limb(other, 6)
    local carry = math.floor(low / BASE)
    local high = limb(one, 5) + sign * limb(other, 5) + carry
    if high >= 0 and high < BASE then
      return NO_HIGH .. string.format('%012x%012x', high, low - carry * BASE)
    end
  end
  local limbs, carry = {}, 0
  for index = 6, 1, -1 do
    local sum = limb(one, index) + sign * limb(other, index) + carry
    carry = math.floor(sum / BASE)
    limbs[index] = string.format('%012x', sum - carry * BASE)
  end
  return table.concat(limbs)
end

local function exceeds(one, other)
  if one == other then
    return false
  end
  for index = 1, 6 do
    local first, last = index * 12 - 11, index * 12
    if string.sub(one, first, last) ~= string.sub(other, first, last) then
      return limb(one, index) > limb(other, index)
    end
  end
  return false
end

-- Adds each amount to the sum of its key, or subtracts it (sign -1). Sums of zero are removed.
local function change_sums(keys, amounts, sign)
  local sums, changed, emptied = redis.call('HMGET', KEYS[2], unpack(keys)), {}, {}
  for index, key in ipairs(keys) do
    local sum = combined(sums[index] or ZERO, amounts[index], sign)
    if sum == ZERO then
      emptied[#emptied + 1] = key
    else
      changed[#changed + 1] = key
      changed[#changed + 1] = sum
    end
  end
  if #changed > 0 then
    redis.call('HSET', KEYS[2], unpack(changed))
  end
  if #emptied > 0 then
    redis.call('HDEL', KEYS[2], unpack(emptied))
  end
end

-- Adds an entry to all sums that its state counts in, or subtracts it (sign -1).
local function count(entry, sign)
  local state, keys, amounts = field(entry, 'state'), {}, {}
  local function note(client)
    keys[#keys + 1] = 'i' .. field(entry, 'input') .. client
    amounts[#amounts + 1] = field(entry, 'input_amount')
    keys[#keys + 1] = 'o' .. field(entry, 'output') .. client
    amounts[#amounts + 1] = field(entry, 'output_amount')
  end
  if state == 'o' then
    note('')
  end
  if state ~= 's' then
    note(client_of(entry))
    if origin_of(entry) then
      note(origin_of(entry))
    end
  end
  if #keys > 0 then
    change_sums(keys, amounts, sign)
  end
end

-- `entry` is what the change leaves of the swap.
local function publish(kind, id, value, entry)
  local number = redis.call('HINCRBY', KEYS[2], 'number', 1)
  if field(entry, 'guarantee') == 'g' and field(entry, 'state') == 'o' then
    redis.call('HSET', KEYS[2], 'guaranteed', string.format('%.0f', number))
  end
  redis.call('XADD', KEYS[6], 'MAXLEN', '~', 4096, string.format('%.0f-0', number), 'k', kind, 'q', id, 'v', value)
  redis.call('PUBLISH', ARGV[#ARGV], string.format('%.0f', number))
  return number
end

-- Writes an entry that is not counted yet, or no longer.
local function put(id, entry)
  redis.call('HSET', KEYS[1], id, entry)
  count(entry, 1)
  local state, block = field(entry, 'state'), field(entry, 'block')
  if state == 'o' or block == string.rep('-', 20) then
    redis.call('ZREM', KEYS[5], id)
  else
    redis.call('ZADD', KEYS[5], tonumber(block), id)
  end
  redis.call('ZADD', KEYS[4], tonumber(field(entry, state == 'o' and 'deadline' or 'end_of_penalty')), id)
end

-- Enters an entry that is not there.
local function insert(id, entry)
  redis.call('HSET', KEYS[3], offer_of(entry), id)
  put(id, entry)
  return publish('e', id, entry, entry)
end

-- `state` is the state and the block, as an entry starts.
local function set_state(id, state)
  local entry = redis.call('HGET', KEYS[1], id)
  if not entry or string.sub(entry, 1, 21) == state then
    return
  end
  count(entry, -1)
  entry = state .. string.sub(entry, 22)
  put(id, entry)
  publish('s', id, state, entry)
end

local function remove(id)
  local entry = redis.call('HGET', KEYS[1], id)
  if not entry then
    return
  end
  count(entry, -1)
  redis.call('HDEL', KEYS[1], id)
  redis.call('HDEL', KEYS[3], offer_of(entry))
  redis.call('ZREM', KEYS[4], id)
  redis.call('ZREM', KEYS[5], id)
  publish('r', id, '', 'r' .. string.sub(entry, 2))
end

-- Seconds by which the clock of a replica may be ahead of that of this server.
local MAX_LEAD = 5

-- Lets entries lapse by the clock, and removes those whose penalty is over.
local function expire(now)
  now = math.min(now, tonumber(redis.call('TIME')[1]) + MAX_LEAD)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now, 'LIMIT', 0, 256)) do
    local entry = redis.call('HGET', KEYS[1], id)
    if entry and field(entry, 'state') == 'o' then
      set_state(id, 'l' .. string.rep('-', 20))
      local penalty = tonumber(field(entry, 'end_of_penalty'))
      if penalty <= now then
        remove(id)
      end
    else
      remove(id)
    end
  end
end

-- The inflow of `input`, the outflow of `output` with the entries that closed after `block`, and the same of a client alone
-- as of now.
local function flows(input, output, block, client)
  local keys = {'i' .. input, 'o' .. output, 'i' .. input .. client, 'o' .. output .. client}
  local sums = redis.call('HMGET', KEYS[2], unpack(keys))
  local inflow, outflow = sums[1] or ZERO, sums[2] or ZERO
  if block ~= '' then
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '(' .. block, '+inf')) do
      local entry = redis.call('HGET', KEYS[1], id)
      if entry and field(entry, 'input') == input then
        inflow = combined(inflow, field(entry, 'input_amount'), 1)
      end
      if entry and field(entry, 'output') == output then
        outflow = combined(outflow, field(entry, 'output_amount'), 1)
      end
    end
  end
  return inflow, outflow, sums[3] or ZERO, sums[4] or ZERO
end
