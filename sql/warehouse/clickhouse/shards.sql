-- In front of the parts of a table on all shards, with the name that statements use. Every other table is small enough for each
-- server to hold it whole, where joins find it.
CREATE TABLE {{table}} {{onCluster}} AS {{table}}{{shard}}
ENGINE = Distributed('{{cluster}}', currentDatabase(), '{{table}}{{shard}}', {{shardingKey}});
