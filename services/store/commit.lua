-- Change a match, or nothing: the only script that writes one.
--
-- KEYS  1 head  2 state  3 log  4 replies  5 incidents  6 tick  7 open work
--       then a pair (queue, leases) per queue named in the order, then the index keys (old status, new status).
-- ARGV  1 the order (msgpack, see below)  2 state, "" leaves it  3 digest of the request (16 bytes) and reply
--       then the fields of the head with their values, then the log entries
-- The order is an array (bytes travel beside it: the msgpack of Lua knows no binary):
--   1 expected version, -1 for a match that must not exist yet   2 expected rev
--   3 new version   4 number of arguments that are fields of the head
--   5 reply field   6 ring name   ("" as field: nothing is recorded)
--   7 closed and 8 opened bot decisions: arrays of {queue number, member, member among all open}
--   9 lease that must hold: {queue number, member, nonce} or {}
--   10 how long the match's keys live without a change (ms)
--   11 number of queues   12 index member, "" for none   13 index score
--   14 channel of the match   15 its message: version, rev and who commits
--   16 channel of the shard's work   17 queues in which work was opened, by "|"   18 expected mark   19 new mark
-- Returns {"ok", version, rev} | {"replay", digest, reply} | {"stale", version, rev} | {"lease"} | {"absent"}.
-- A script that is sent again because its reply was lost finds its own record and answers "replay".
local order = cmsgpack.unpack(ARGV[1])
local head, replies = KEYS[1], KEYS[4]
local field, ring = order[5], order[6]
if field ~= '' then
  local known = redis.call('HGET', replies, field)
  if known then
    return {'replay', string.sub(known, 1, 16), string.sub(known, 17)}
  end
end
local current = redis.call('HMGET', head, 'version', 'rev', 'mark')
if order[1] == -1 then
  if current[1] then return {'stale', tonumber(current[1]), tonumber(current[2])} end
else
  if not current[1] then return {'absent'} end
  if tonumber(current[1]) ~= order[1] or tonumber(current[2]) ~= order[2] or (current[3] or '') ~= order[18] then
    return {'stale', tonumber(current[1]), tonumber(current[2])}
  end
end
local function queue_key(n) return KEYS[6 + 2 * n], KEYS[7 + 2 * n] end
local lease = order[9]
if #lease > 0 then
  local _, leases = queue_key(lease[1])
  local held = redis.call('HGET', leases, lease[2])
  if not held or cmsgpack.unpack(held)[2] ~= lease[3] then return {'lease'} end
end

redis.call('HSET', head, 'version', order[3], 'mark', order[19], unpack(ARGV, 4, 3 + order[4]))
if ARGV[2] ~= '' then redis.call('SET', KEYS[2], ARGV[2], 'KEEPTTL') end
for i = 4 + order[4], #ARGV do redis.call('RPUSH', KEYS[3], ARGV[i]) end
if field ~= '' then
  local slot = ring .. (redis.call('HINCRBY', replies, ring, 1) % 32)
  local old = redis.call('HGET', replies, slot)
  if old then redis.call('HDEL', replies, old) end
  redis.call('HSET', replies, slot, field, field, ARGV[3])
end
for _, work in ipairs(order[7]) do
  local queue, leases = queue_key(work[1])
  redis.call('ZREM', queue, work[2])
  redis.call('HDEL', leases, work[2])
  redis.call('ZREM', KEYS[7], work[3])
end
if #order[8] > 0 then
  -- By the server's clock, as leases are.
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  for _, work in ipairs(order[8]) do
    local queue = queue_key(work[1])
    redis.call('ZADD', queue, now, work[2])
    redis.call('ZADD', KEYS[7], now, work[3])
  end
end
if order[12] ~= '' then
  local at = 8 + 2 * order[11]
  redis.call('ZREM', KEYS[at], order[12])
  redis.call('ZADD', KEYS[at + 1], order[13], order[12])
end
-- Written anew once a day, when the status changes it, and with the first move, which makes the log.
local life, left = order[10], redis.call('PTTL', head)
if left < life - 86400000 or left > life or order[1] <= 0 then
  for i = 1, 5 do redis.call('PEXPIRE', KEYS[i], life) end
end
-- By a random step: a count that went back must not come to where it was seen before.
redis.call('INCRBY', KEYS[6], 1 + tonumber(string.sub(order[19], 1, 6), 16))
redis.call('PUBLISH', order[14], order[15])
if order[17] ~= '' then redis.call('PUBLISH', order[16], order[17]) end
return {'ok'}
