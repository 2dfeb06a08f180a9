-- Records a signature: KEYS, ARGV and the answer are those of `record`.
return record(redis.call('MGET', KEYS[1], KEYS[2], KEYS[3]), 1)
