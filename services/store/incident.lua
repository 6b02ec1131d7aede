-- Keep a move on which the rules failed: nothing else of the match changes.
-- KEYS  1 incidents of the match  2 incidents of the shard  3 head
-- ARGV  1 incident  2 index member  3 now (ms)
-- Returns 1, or 0 when the match is gone or the incident is there already.
if redis.call('EXISTS', KEYS[3]) == 0 then return 0 end
if redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[2]) == 0 then return 0 end
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1001)
redis.call('LPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], 0, 19)
local life = redis.call('PTTL', KEYS[3])
if life > 0 then redis.call('PEXPIRE', KEYS[1], life) end
return 1
