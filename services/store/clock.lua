-- Return the time of the server that holds a key (ms).
-- KEYS  1 any key
local time = redis.call('TIME')
return time[1] * 1000 + math.floor(time[2] / 1000)
