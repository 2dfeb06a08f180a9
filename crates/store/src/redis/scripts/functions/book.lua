-- Reading and changing a book.
-- A book has these keys, all on the node of its pool: entries (hash: quote id, entry), index (hash, see below), deadlines
-- (sorted set: quote id, Unix second), closed (sorted set: field of the index, block), changes (stream), replicas (sorted
-- set: name, Unix second in which it was last seen), restored (set: names of the replicas that have put back what they
-- know).
-- The index has the quote of each offer, by 'x' and the offer; sums, see `sums_of` and `closed_sums_of`; how many swaps
-- count for each client, by '#' and its name, and how many are in the book, by '%' and its name; 'number', that of the last
-- change, and 'guaranteed', that of the last one that made a guaranteed swap outstanding; 'generation' and 'epoch', the name
-- of its numbering; 'changed_at', the Unix second in which the generation began while entries of the one before may be
-- missing, else 0; 'seen_until', the second in which a replica was last seen before it (empty: in none); 'lifetime', how
-- long signatures last at most, in seconds, among those that may be valid before 'lifetime_until'; and 'announced_at', the
-- millisecond of the last change that was announced.
local book

-- Names the keys of the book, which are in KEYS from `key` on, and the channel on which its changes are announced.
local function use_book(key, channel)
  book = {
    entries = KEYS[key], index = KEYS[key + 1], deadlines = KEYS[key + 2], closed = KEYS[key + 3],
    changes = KEYS[key + 4], replicas = KEYS[key + 5], restored = KEYS[key + 6], channel = channel,
  }
end

-- Seconds for which a replica counts after it was last seen, and for which the keys of a book outlive the last one: longer
-- than an entry.
local PRESENCE = 60
local MAX_UNUSED = 5 * 86400

-- Begins a new epoch if the generation of the server is not the one that the index has. Returns the epoch, an error if
-- the server hides its generation, and the time since which entries may be missing (0: none are). A missing book is a new
-- one, unless this replica follows an earlier epoch. All times are by the clock of this server: that of a replica may be
-- anything.
local function open_book(followed_epoch, known_generation, epoch, changed_at)
  local now = server_seconds()
  local generation, hidden = server_generation()
  if hidden then
    return nil, hidden
  end
  if known_generation == generation then
    if followed_epoch ~= '' and followed_epoch ~= epoch and changed_at == '0' then
      -- Nothing was thought to be missing, and this replica may know better. Which others may is known now, unless it was not
      -- known when the epoch began.
      redis.call('HSET', book.index, 'changed_at', tostring(now))
      if (redis.call('HGET', book.index, 'seen_until') or '') ~= '' then
        redis.call('HSET', book.index, 'seen_until', tostring(now))
      end
      return epoch, nil, now
    end
    return epoch, nil, tonumber(changed_at or '0')
  end
  local time = redis.call('TIME')
  epoch = string.format('%s%06d', time[1], time[2])
  local is_new = not known_generation and followed_epoch == ''
  local last_seen = redis.call('ZRANGE', book.replicas, -1, -1, 'WITHSCORES')
  redis.call('HSET', book.index, 'generation', generation, 'epoch', epoch, 'changed_at', is_new and '0' or tostring(now),
    'seen_until', last_seen[2] or '')
  redis.call('DEL', book.restored)
  return epoch, nil, is_new and 0 or now
end

-- Returns how long signatures last at most that may be valid in `second`, in seconds; 0 if none is known.
local function longest_lifetime(lifetime, lifetime_until, second)
  return tonumber(lifetime_until or '0') >= second and tonumber(lifetime) or 0
end

-- Seconds until nothing can be missing, if something may be since `changed_at`; `lifetime` is how long a signature lasts at
-- most.
local function seconds_incomplete(changed_at, lifetime)
  local now = server_seconds()
  if changed_at == 0 or changed_at + lifetime <= now then
    return nil
  end
  return string.format('%.0f', changed_at + lifetime - now)
end

-- Notes that a replica is there, and whether it has put back what it knows. If all have that were there when the epoch
-- began, nothing is missing: until then none of them is forgotten.
local function note_replica(name, has_restored)
  local now = server_seconds()
  local found = redis.call('HMGET', book.index, 'changed_at', 'seen_until', 'lifetime', 'lifetime_until')
  local changed_at, seen_until = tonumber(found[1] or '0'), tonumber(found[2] or '')
  local lifetime = longest_lifetime(found[3], found[4], changed_at)
  if changed_at > 0 and lifetime > 0 and changed_at + math.max(lifetime, 10 * PRESENCE) <= now then
    -- Nothing that may be missing is valid any more, so that no replica is waited for.
    redis.call('HSET', book.index, 'changed_at', '0')
    changed_at = 0
  end
  -- Once a second at most.
  if redis.call('ZADD', book.replicas, 'CH', now, name) == 1 then
    local absent = changed_at == 0 and redis.call('ZRANGEBYSCORE', book.replicas, '-inf', now - 10 * PRESENCE) or {}
    for _, replica in ipairs(absent) do
      redis.call('ZREM', book.replicas, replica)
      redis.call('SREM', book.restored, replica)
    end
    local unused_at = string.format('%.0f', (now + MAX_UNUSED) * 1000)
    for _, key in ipairs({book.entries, book.index, book.deadlines, book.closed, book.changes, book.replicas,
      book.restored}) do
      redis.call('PEXPIREAT', key, unused_at)
    end
  end
  if not has_restored then
    return
  end
  redis.call('SADD', book.restored, name)
  if changed_at == 0 or not seen_until then
    return
  end
  local since = math.min(changed_at, seen_until) - PRESENCE
  for _, replica in ipairs(redis.call('ZRANGEBYSCORE', book.replicas, since, '+inf')) do
    if redis.call('SISMEMBER', book.restored, replica) == 0 then
      return
    end
  end
  redis.call('HSET', book.index, 'changed_at', '0')
end

-- The fields with which an entry starts: its state and block, of which the second is NO_BLOCK if it is not known; the offer;
-- the seconds in which it lapses by the clock, in which it no longer counts for its client once it has lapsed, and in which
-- it is removed; 'g' if it is guaranteed; which side is native coin; '@' and its source network; the length of its client's
-- name. The name follows, then what replicas alone read. The state is 'o' (outstanding), 's' (settled), 'p' (settled
-- in part, and still counted for its client), 'l' (lapsed), or 'r' (lapsed, and no longer counted for its client).
local FIELDS = '>c1c8c136I4I4I4c1c1c1c8H'
-- The last byte of state and block, and the first of offer and name.
local STATE, OFFER, NAME = 9, 10, 171
local NO_BLOCK = string.rep('\255', 8)
-- The fields with which an offer starts.
local LEGS = '>c20c36c20c36'

local function parsed(text)
  local state, block, offer, lapse, release, removal, guarantee, native, has_network, network, length =
    struct.unpack(FIELDS, text)
  local input, input_amount, output, output_amount = struct.unpack(LEGS, offer)
  return {
    text = text, state = state, block = block, offer = offer, lapse = lapse, release = release, removal = removal,
    is_guaranteed = guarantee == 'g', native = native, network = has_network == '@' and '@' .. network or nil,
    client = string.sub(text, NAME, NAME + length - 1),
    input = input, input_amount = input_amount, output = output, output_amount = output_amount,
  }
end

local function have_same_terms(one, other)
  return one.offer == other.offer and one.is_guaranteed == other.is_guaranteed and one.native == other.native
end

-- The sums that an entry counts in: 'i' and its input, 'o' and its output, for all clients; the same with the name of its
-- client, and with its source network. Those at odd positions are of inputs.
local function sums_of(entry)
  if not entry.sums then
    local input, output = 'i' .. entry.input, 'o' .. entry.output
    entry.sums = {input, output, input .. entry.client, output .. entry.client}
    if entry.network then
      entry.sums[5], entry.sums[6] = input .. entry.network, output .. entry.network
    end
  end
  return entry.sums
end

-- The first of its sums in which an entry counts: in all while it is outstanding, and in those of its client once it has
-- lapsed or is settled in part.
local FIRST_SUM = {o = 1, l = 3, p = 3}

-- The block that closed an entry, if one did.
local function closing_block(entry)
  return entry and entry.state ~= 'o' and entry.block ~= NO_BLOCK and entry.block or nil
end

-- The names of the sums of all that a block closed, without the block: those of inflows and of outflows of a token.
local function closed_sums_of(entry)
  return 'i' .. entry.input, 'o' .. entry.output
end

-- Adds the amounts of an entry to the sums of the block that closed it, or subtracts them.
local function count_closed(entry, sign)
  local function add(name, amount)
    local field = 'b' .. entry.block .. name
    local sum = combined(redis.call('HGET', book.index, field) or ZERO, amount, sign)
    if sum == ZERO then
      redis.call('HDEL', book.index, field)
      redis.call('ZREM', book.closed, field)
    else
      redis.call('HSET', book.index, field, sum)
      redis.call('ZADD', book.closed, struct.unpack('>I8', entry.block), field)
    end
  end
  local inflow, outflow = closed_sums_of(entry)
  add(inflow, entry.input_amount)
  add(outflow, entry.output_amount)
end

-- The field with the second in which the clock changes an entry next.
local DEADLINE = {o = 'lapse', l = 'release', p = 'release', r = 'removal', s = 'removal'}

-- The fields of the index that a change of an entry reads.
local function fields_of(entry)
  return 'number', 'announced_at', 'x' .. entry.offer, '#' .. entry.client, '%' .. entry.client, unpack(sums_of(entry))
end

-- Milliseconds for which a change stands for those after it: they are not announced. Who listens reads once more, 20 ms
-- after each announcement (`TRAILING_NOTICE` of redis/book/feed.rs).
local ANNOUNCEMENT_MS = 10

-- Changes that remain at least when an announced one removes the oldest.
local MAX_CHANGES = 4096

local function is_announcement_due(announced_at)
  return math.abs(server_ms() - tonumber(announced_at or '0')) >= ANNOUNCEMENT_MS
end

-- Writes what the change of a swap from `before` to `after` (nil: it is not there) makes of the index, of whose
-- `fields_of` these are the values. Returns the number of the change, and whether it has to be announced.
local function change_index(id, before, after, found)
  local entry = after or before
  local number = tonumber(found[1] or '0') + 1
  local text = string.format('%d', number)
  local changed, emptied = {'number', text}, {}
  local function set(field, value)
    changed[#changed + 1] = field
    changed[#changed + 1] = value
  end
  local is_due = is_announcement_due(found[2])
  if is_due then
    set('announced_at', string.format('%.0f', server_ms()))
  end
  if not before then
    set('x' .. entry.offer, id)
  elseif not after and found[3] == id then
    emptied[#emptied + 1] = 'x' .. entry.offer
  end
  if after and after.is_guaranteed and after.state == 'o' then
    set('guaranteed', text)
  end
  local function add(position, kind, change)
    local sum = tonumber(found[position] or '0') + change
    if sum == 0 then
      emptied[#emptied + 1] = kind .. entry.client
    else
      set(kind .. entry.client, string.format('%d', sum))
    end
  end
  local counted = before and FIRST_SUM[before.state] or 7
  local counts = after and FIRST_SUM[after.state] or 7
  if (counted == 7) ~= (counts == 7) then
    add(4, '#', counts == 7 and -1 or 1)
  end
  if not before or not after then
    add(5, '%', after and 1 or -1)
  end
  for index, field in ipairs(sums_of(entry)) do
    if (index >= counted) ~= (index >= counts) then
      local amount = index % 2 == 1 and entry.input_amount or entry.output_amount
      local sum = combined(found[5 + index] or ZERO, amount, index >= counts and 1 or -1)
      if sum == ZERO then
        emptied[#emptied + 1] = field
      else
        set(field, sum)
      end
    end
  end
  redis.call('HSET', book.index, unpack(changed))
  if #emptied > 0 then
    redis.call('HDEL', book.index, unpack(emptied))
  end
  return text, is_due
end

-- Changes a swap from `before` to `after` (nil: it is not there), and announces it with its `kind` and `value`. `found` are
-- the values of `fields_of`, if they are known. Returns the number of the change.
local function change(kind, id, value, before, after, found)
  found = found or redis.call('HMGET', book.index, fields_of(after or before))
  local number, is_due = change_index(id, before, after, found)
  if after then
    redis.call('HSET', book.entries, id, after.text)
    redis.call('ZADD', book.deadlines, after[DEADLINE[after.state]], id)
  else
    redis.call('HDEL', book.entries, id)
    redis.call('ZREM', book.deadlines, id)
  end
  local opened, closed = closing_block(before), closing_block(after)
  if opened ~= closed then
    if opened then
      count_closed(before, -1)
    end
    if closed then
      count_closed(after, 1)
    end
  end
  if is_due then
    redis.call('XADD', book.changes, 'MAXLEN', '~', MAX_CHANGES, number .. '-0', kind, id .. value)
    -- A hint, which fails nothing: who listens also reads without one.
    redis.pcall('PUBLISH', book.channel, number)
  else
    redis.call('XADD', book.changes, number .. '-0', kind, id .. value)
  end
  return number
end

-- Enters a swap that is not there.
local function insert(id, text)
  return change('e', id, text, nil, parsed(text))
end

-- `state` is the state and the block, as an entry starts.
local function set_state(id, state)
  local text = redis.call('HGET', book.entries, id)
  if text and string.sub(text, 1, STATE) ~= state then
    change('s', id, state, parsed(text), parsed(state .. string.sub(text, OFFER)))
  end
end

local function remove(id)
  local text = redis.call('HGET', book.entries, id)
  if text then
    change('r', id, '', parsed(text), nil)
  end
end

-- Milliseconds by which the clock of a replica may be ahead of that of this server.
local MAX_LEAD_MS = 5000

-- Lets entries lapse by the clock, releases those that have counted long enough for their clients, and removes those that
-- are over.
local function expire(now)
  now = math.min(now, math.floor((server_ms() + MAX_LEAD_MS) / 1000))
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', book.deadlines, '-inf', now, 'LIMIT', 0, 256)) do
    local text = redis.call('HGET', book.entries, id)
    local entry = text and parsed(text)
    if not entry or entry.state == 's' or entry.removal <= now then
      remove(id)
    elseif entry.state == 'p' then
      set_state(id, 's' .. entry.block)
    else
      set_state(id, (entry.release <= now and 'r' or 'l') .. entry.block)
    end
  end
end
