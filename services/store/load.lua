-- Read a match in one piece.
-- KEYS  1 head  2 state  3 replies
-- ARGV  1 version and 2 rev that the caller has already (-1: none)  3 reply field, "" for none
-- Returns {} when there is none, else {status, version, rev, info, meta, state or "", reply or ""}; the state stays out when
-- the caller has it.
local head = redis.call('HMGET', KEYS[1], 'status', 'version', 'rev', 'info', 'meta')
if not head[1] then return {} end
local state = ''
if head[2] ~= ARGV[1] or head[3] ~= ARGV[2] then state = redis.call('GET', KEYS[2]) or '' end
local reply = ''
if ARGV[3] ~= '' then reply = redis.call('HGET', KEYS[3], ARGV[3]) or '' end
return {head[1], head[2], head[3], head[4], head[5], state, reply}
