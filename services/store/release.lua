-- Hand a leased decision back, so that it may be claimed at once; the attempt does not count, but for a decision that
-- was handed back many times already: workers that all refuse it must not keep it open for ever.
-- KEYS  1 queue  2 leases
-- ARGV  1 member  2 nonce  3 times that a decision is handed back before attempts count
-- Returns 1 when the lease held, else 0.
local held = redis.call('HGET', KEYS[2], ARGV[1])
if not held then return 0 end
held = cmsgpack.unpack(held)
if held[2] ~= ARGV[2] then return 0 end
local back = (held[4] or 0) + 1
local attempt = back > tonumber(ARGV[3]) and held[1] or held[1] - 1
redis.call('HSET', KEYS[2], ARGV[1], cmsgpack.pack({attempt, '', 0, back}))
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], 'XX', time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
return 1
