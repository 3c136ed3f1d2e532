/** A curl command of a page as the request that curl would send. */
export interface Request {
  readonly method: string;
  /** Path and query, after the address of the service. */
  readonly path: string;
  readonly init: { readonly headers: Readonly<Record<string, string>>; readonly body?: string };
}

/**
 * @param command one line, without variables of the shell
 * @param address that of the service, as the page writes it
 * @throws Error for an option that the pages do not use
 */
export function readCurl(command: string, address: string): Request {
  const [program, ...words] = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!,
  );
  if (program !== 'curl') throw new Error(`${command} is no curl`);
  const headers: Record<string, string> = {};
  const query: string[] = [];
  let url = '';
  let body: string | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const value = () => words.shift() ?? '';
    if (word === '-H') {
      const [, name, text] = /^([^:]+): *(.*)$/.exec(value())!;
      headers[name!] = text!;
    } else if (word === '-G' || word === '-i') {
      // -G: the pages send data in no other way than this. -i: they show headers where there is a status line.
    } else if (word === '--data-urlencode') query.push(encoded(value()));
    else if (word === '--json') {
      body = value();
      headers['Content-Type'] = 'application/json';
    } else if (word.startsWith('-') || url !== '') throw new Error(`${command}: ${word} is not understood`);
    else url = word;
  }
  if (!url.startsWith(`${address}/`)) throw new Error(`${command} does not ask this service`);
  const path = [url.slice(address.length), ...query].join(url.includes('?') ? '&' : '?');
  return {
    method: body === undefined ? 'GET' : 'POST',
    path,
    init: { headers, ...(body === undefined ? {} : { body }) },
  };
}

/** `name=value`, of which curl encodes the value. */
function encoded(pair: string): string {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(pair)!;
  return `${name}=${encodeURIComponent(value!)}`;
}
