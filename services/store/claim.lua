-- Lease bot decisions of one queue.
-- KEYS  1 queue  2 leases
-- ARGV  1 now (ms)  2 lease end (ms)  3 member, or "" for the one that waits longest  4... a nonce per decision wanted
-- Returns {member, attempt, nonce, member, attempt, nonce, ...}; a decision under a lease that still runs is not given.
local members
if ARGV[3] ~= '' then
  local score = redis.call('ZSCORE', KEYS[1], ARGV[3])
  members = (score and tonumber(score) <= tonumber(ARGV[1])) and {ARGV[3]} or {}
else
  members = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, #ARGV - 3)
end
local given = {}
for i, member in ipairs(members) do
  local held = redis.call('HGET', KEYS[2], member)
  held = held and cmsgpack.unpack(held) or {0, '', 0, 0}
  local attempt = held[1] + 1
  local nonce = ARGV[3 + i]
  redis.call('HSET', KEYS[2], member, cmsgpack.pack({attempt, nonce, tonumber(ARGV[1]), held[4] or 0}))
  redis.call('ZADD', KEYS[1], ARGV[2], member)
  given[#given + 1] = member
  given[#given + 1] = attempt
  given[#given + 1] = nonce
end
return given
