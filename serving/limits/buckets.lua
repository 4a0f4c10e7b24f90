-- Buckets of several processes. Nothing else runs in between, and nothing here reads a clock that
-- can be set: time is the askers' monotonic one, brought together by its largest reading.
--
-- KEYS: the time; a bucket each.
-- ARGV: what to do (take all or nothing, correct, look); the asker's time; seconds for which full
-- buckets are kept; size, flow a second and amount of each bucket.
-- Returns whether all amounts fit (1 or 0), the time, and the level of each bucket.
local act, kept_s = ARGV[1], tonumber(ARGV[3])
local now = math.max(tonumber(ARGV[2]), tonumber(redis.call('GET', KEYS[1]) or ARGV[2]))

local buckets, fits = {}, 1
for place = 2, #KEYS do
  local from = 3 * place - 2
  local size, flow, amount = tonumber(ARGV[from]), tonumber(ARGV[from + 1]), tonumber(ARGV[from + 2])
  local kept = redis.call('HMGET', KEYS[place], 'level', 'at')
  local level = size
  if kept[1] then
    level = math.min(size, tonumber(kept[1]) + math.max(0, now - tonumber(kept[2])) * flow)
  end
  if size == 0 or math.min(amount, size) - level > 1e-6 then
    fits = 0
  end
  buckets[#buckets + 1] = {key = KEYS[place], size = size, flow = flow, amount = amount, level = level}
end

local function exact(number)
  return string.format('%.17g', number)
end

if act == 'correct' or act == 'take' and fits == 1 then
  redis.call('SET', KEYS[1], exact(now), 'EX', kept_s)
  for _, bucket in ipairs(buckets) do
    bucket.level = math.min(bucket.size, bucket.level - bucket.amount)
    redis.call('HSET', bucket.key, 'level', exact(bucket.level), 'at', exact(now))
    local filling_s = bucket.flow > 0 and (bucket.size - bucket.level) / bucket.flow or 0
    redis.call('EXPIRE', bucket.key, math.ceil(kept_s + filling_s))
  end
end

local reply = {fits, exact(now)}
for _, bucket in ipairs(buckets) do
  reply[#reply + 1] = exact(bucket.level)
end
return reply
