/**
 * Codes of ClickHouse for a server that is overloaded, starts, stops, or does not reach its own parts: the name of a server
 * that cannot be resolved (198), a quota that is used up (201), too many queries (202), no free connection (203), the network
 * within a cluster (209, 210), a shutdown (236), a table that is read-only while its replica is away (242), no connection to a
 * shard (279), too few live replicas for a quorum, another one under way, and a replica outside it (285, 286, 289), an insert
 * with an unknown outcome on a replica (319), a locked session (373), an error of the system (425), no thread (439), too much
 * load (745), and Keeper (999).
 */
export const PASSING_CODES: readonly string[] = [
  ...['198', '201', '202', '203', '209', '210', '236', '242', '279', '285', '286', '289'],
  ...['319', '373', '425', '439', '745', '999'],
];
