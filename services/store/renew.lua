-- Prolong a lease, or only ask whether it holds.
-- KEYS  1 queue  2 leases
-- ARGV  1 member  2 nonce  3 how long it shall last from now (ms; 0 asks only)  4 longest time from claim to answer (ms)
-- Returns {how long the lease lasts from now (ms), its end (ms)} by the server's clock, or {0, 0} when it is gone.
local held = redis.call('HGET', KEYS[2], ARGV[1])
if not held then return {0, 0} end
held = cmsgpack.unpack(held)
if held[2] ~= ARGV[2] then return {0, 0} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local till
if tonumber(ARGV[3]) == 0 then
  till = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
else
  till = math.min(now + ARGV[3], held[3] + ARGV[4])
end
if till <= now then return {0, 0} end
if tonumber(ARGV[3]) > 0 then redis.call('ZADD', KEYS[1], 'XX', till, ARGV[1]) end
return {till - now, till}
