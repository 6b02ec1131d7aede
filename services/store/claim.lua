-- Lease bot decisions of one queue.
-- KEYS  1 queue  2 leases
-- ARGV  1 now (ms)  2 lease end (ms)  3 member, or "" for the one that waits longest  4... a nonce per decision wanted
-- Returns {member, attempt, nonce, member, attempt, nonce, ...}; a decision under a lease that still runs is not given.
-- A script that is sent again because its reply was lost finds its own nonces and gives what it gave before.
local now, till, wanted = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local nonces = {}
for i = 4, #ARGV do nonces[ARGV[i]] = true end
local function lease_of(member)
  local held = redis.call('HGET', KEYS[2], member)
  return held and cmsgpack.unpack(held) or {0, '', 0, 0}
end

local given = {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], till, till)) do
  local held = lease_of(member)
  if nonces[held[2]] then
    given[#given + 1] = member
    given[#given + 1] = held[1]
    given[#given + 1] = held[2]
  end
end
if #given > 0 then return given end

local members
if wanted ~= '' then
  local score = redis.call('ZSCORE', KEYS[1], wanted)
  members = (score and tonumber(score) <= now) and {wanted} or {}
else
  members = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, #ARGV - 3)
end
for i, member in ipairs(members) do
  local held = lease_of(member)
  local attempt, nonce = held[1] + 1, ARGV[3 + i]
  redis.call('HSET', KEYS[2], member, cmsgpack.pack({attempt, nonce, now, held[4] or 0}))
  redis.call('ZADD', KEYS[1], till, member)
  given[#given + 1] = member
  given[#given + 1] = attempt
  given[#given + 1] = nonce
end
return given
