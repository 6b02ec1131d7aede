-- Prolong a lease, or only ask whether it holds.
-- KEYS  1 queue  2 leases
-- ARGV  1 member  2 nonce  3 now (ms)  4 new end (ms; 0 asks only)  5 longest time from claim to answer (ms)
-- Returns the end of the lease, or 0 when it is gone.
local held = redis.call('HGET', KEYS[2], ARGV[1])
if not held then return 0 end
held = cmsgpack.unpack(held)
if held[2] ~= ARGV[2] then return 0 end
local limit = held[3] + tonumber(ARGV[5])
if tonumber(ARGV[4]) == 0 then return tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0) end
local till = math.min(tonumber(ARGV[4]), limit)
if till <= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], 'XX', till, ARGV[1])
return till
