-- The loading user needs this on a cluster in addition to users.sql, also with ON CLUSTER in each statement.

GRANT CLUSTER, REMOTE ON *.* TO energy_loader;

GRANT TABLE ENGINE ON ReplicatedMergeTree TO energy_loader;
GRANT TABLE ENGINE ON ReplicatedSummingMergeTree TO energy_loader;
GRANT TABLE ENGINE ON Distributed TO energy_loader;

GRANT SELECT ON system.replicas TO energy_loader;

GRANT SYSTEM SYNC REPLICA ON energy*.* TO energy_loader;
