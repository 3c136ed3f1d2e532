/** Sentences that say what to do about a failure of the server that no repetition mends, by the code of the error. */

const RIGHTS =
  'The ingest needs the loading user in WAREHOUSE_URL, with the rights that sql/warehouse/clickhouse/users.sql gives it: ' +
  'they are for databases that begin with one prefix, the last part of WAREHOUSE_URL';

const ADDRESS = 'Check host and port in WAREHOUSE_URL, and that the server is running';

const TLS =
  'clickhouses:// in WAREHOUSE_URL is for the port with TLS, often 8443, and clickhouse:// for that without, 8123';

const AUTHORITY = 'NODE_EXTRA_CA_CERTS names the file of a certificate authority of your own';

const REMEDIES: Readonly<Record<string, string>> = {
  // Those of the engine: a statement that is only for reading, rights, a wrong password.
  164: RIGHTS,
  497: RIGHTS,
  516: 'Check user and password in WAREHOUSE_URL; there, everything but letters and digits is written as %xx',
  ENOTFOUND: ADDRESS,
  EAI_AGAIN: ADDRESS,
  ECONNREFUSED: ADDRESS,
  ETIMEDOUT: ADDRESS,
  EHOSTUNREACH: ADDRESS,
  EPROTO: TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
};

/** Appends to a sentence what to do about the error that it tells, where something is known. */
export function withRemedy(sentence: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const remedy = REMEDIES[code];
  return remedy === undefined ? sentence : `${sentence}.\n${remedy}.`;
}
