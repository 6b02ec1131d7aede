-- Read a match in one piece.
-- KEYS  1 head  2 state  3 replies  4 log
-- ARGV  1 version, 2 rev and 3 mark that the caller has already (-1: none)  4 reply field, "" for none
--       5 version from whose log entry on the log is wanted, "" for none of it  6 how many entries before the last at most
-- Returns {} when there is none, else {status, version, rev, mark, info, meta, state or "", reply or "", log entries}; the
-- state stays out when the caller has it. A log that is asked for too far back, or beyond the end, is its last entry.
local head = redis.call('HMGET', KEYS[1], 'status', 'version', 'rev', 'mark', 'info', 'meta')
if not head[1] then return {} end
local state = ''
local mark = head[4] or ''
if head[2] ~= ARGV[1] or head[3] ~= ARGV[2] or mark ~= ARGV[3] then state = redis.call('GET', KEYS[2]) or '' end
local reply = ''
if ARGV[4] ~= '' then reply = redis.call('HGET', KEYS[3], ARGV[4]) or '' end
local log = {}
if ARGV[5] ~= '' then
  local from, last = tonumber(ARGV[5]), tonumber(head[2])
  if from < 0 or from > last or last - from > tonumber(ARGV[6]) then from = last end
  log = redis.call('LRANGE', KEYS[4], math.max(0, from - 1), -1)
end
return {head[1], head[2], head[3], mark, head[5], head[6], state, reply, log}
