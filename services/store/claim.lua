-- Lease bot decisions of one queue.
-- KEYS  1 queue  2 leases
-- ARGV  1 how long the leases last (ms)  2 member, or "" for the one that waits longest  3... a nonce per decision wanted
-- Returns {lease end (ms), member, attempt, nonce, member, attempt, nonce, ...}; a decision under a lease that still runs
-- is not given. The clock is the server's, for all callers.
-- A script that is sent again because its reply was lost finds its own nonces and gives what it gave before.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local till, wanted = now + ARGV[1], ARGV[2]
local nonces = {}
for i = 3, #ARGV do nonces[ARGV[i]] = true end
local function lease_of(member)
  local held = redis.call('HGET', KEYS[2], member)
  return held and cmsgpack.unpack(held) or {0, '', 0, 0}
end

local given = {till}
local running = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, till, 'WITHSCORES')
for i = 1, #running, 2 do
  local held = lease_of(running[i])
  if nonces[held[2]] then
    given[1] = tonumber(running[i + 1])
    given[#given + 1] = running[i]
    given[#given + 1] = held[1]
    given[#given + 1] = held[2]
  end
end
if #given > 1 then return given end

local members
if wanted ~= '' then
  local score = redis.call('ZSCORE', KEYS[1], wanted)
  members = (score and tonumber(score) <= now) and {wanted} or {}
else
  members = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, #ARGV - 2)
end
for i, member in ipairs(members) do
  local held = lease_of(member)
  local attempt, nonce = held[1] + 1, ARGV[2 + i]
  redis.call('HSET', KEYS[2], member, cmsgpack.pack({attempt, nonce, now, held[4] or 0}))
  redis.call('ZADD', KEYS[1], till, member)
  given[#given + 1] = member
  given[#given + 1] = attempt
  given[#given + 1] = nonce
end
return given
