-- Hand a leased decision back, so that it may be claimed at once; the attempt does not count.
-- KEYS  1 queue  2 leases
-- ARGV  1 member  2 nonce  3 now (ms)
-- Returns 1 when the lease held, else 0.
local held = redis.call('HGET', KEYS[2], ARGV[1])
if not held then return 0 end
held = cmsgpack.unpack(held)
if held[2] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], cmsgpack.pack({held[1] - 1, '', 0}))
redis.call('ZADD', KEYS[1], 'XX', ARGV[3], ARGV[1])
return 1
