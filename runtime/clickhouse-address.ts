/** The server and the databases of ClickHouse: `clickhouse(s)://user:password@host:port/prefix`. */
export interface ClickHouseAddress {
  /** Address of the HTTP interface, without user and password. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Name of the database with the pointer; those of the versions begin with it. */
  readonly prefix: string;
}

const SCHEMES: Readonly<Record<string, { readonly protocol: string; readonly port: number }>> = {
  'clickhouse:': { protocol: 'http', port: 8123 },
  'clickhouses:': { protocol: 'https', port: 8443 },
};

/** Every server has these databases. */
const SYSTEM_DATABASES = ['default', 'system', 'information_schema'];

const FORM = 'duckdb:<folder>, clickhouse://user:password@host:8123/prefix or clickhouses://… (TLS)';

/** Returns the fault of an address, to follow the name of the setting, without the password; null when there is none. */
export function clickhouseFault(text: string): string | null {
  const scheme = /^([a-z]+:)\/\//i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (scheme === 'http:') return `must be ${FORM}; did you mean clickhouse:// instead of http://?`;
  if (scheme === 'https:') return `must be ${FORM}; did you mean clickhouses:// instead of https://?`;
  if (SCHEMES[scheme] === undefined || !URL.canParse(text)) return `must be ${FORM}`;
  const { hostname, pathname, search, hash, port, username, password } = new URL(text);
  if (hostname === '') return `names no host; it must be ${FORM}`;
  if (search !== '' || hash !== '')
    return 'has something behind the prefix: settings of ClickHouse are not taken from there';
  if (!(isDecodable(username) && isDecodable(password)))
    return 'has a % in user or password that is not written as %25';
  if (port === '9000' || port === '9440') {
    return `names port ${port}, that of the native protocol; the HTTP interface has ${port === '9000' ? 8123 : 8443}`;
  }
  const prefix = pathname.slice(1);
  if (prefix === '') return `names no prefix for the databases; it must be ${FORM}`;
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(prefix)) {
    return 'has a prefix that is not made of up to 64 letters, digits and _, beginning with a letter';
  }
  return SYSTEM_DATABASES.includes(prefix.toLowerCase())
    ? `has the prefix ${prefix}, a database that every server has`
    : null;
}

/** @throws when the address has a fault */
export function clickhouseAddress(text: string): ClickHouseAddress {
  const fault = clickhouseFault(text);
  if (fault !== null) throw new Error(`The address of ClickHouse ${fault}`);
  const { protocol: scheme, hostname, port, username, password, pathname } = new URL(text);
  const known = SCHEMES[scheme];
  if (known === undefined) throw new Error(`The address of ClickHouse has the unknown scheme ${scheme}`);
  return {
    url: `${known.protocol}://${hostname}:${port === '' ? known.port : port}`,
    username: username === '' ? 'default' : decodeURIComponent(username),
    password: decodeURIComponent(password),
    prefix: pathname.slice(1),
  };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
