/** The request that curl would send. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly init: { readonly headers: Readonly<Record<string, string>>; readonly body?: string };
  /** The file that gets the body; null = it is printed. */
  readonly output: string | null;
}

/**
 * @param command a curl command on one line, without shell variables
 * @param address origin of the service, as the page writes it
 * @throws Error for an option that the pages do not use
 */
export function readCurl(command: string, address: string): Request {
  const [program, ...words] = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!,
  );
  if (program !== 'curl') throw new Error(`${command} is no curl command`);
  const headers: Record<string, string> = {};
  const query: string[] = [];
  let url = '';
  let body: string | undefined;
  let method: string | undefined;
  let output: string | null = null;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const value = () => words.shift() ?? '';
    if (word === '-H') {
      const [, name, text] = /^([^:]+): *(.*)$/.exec(value())!;
      headers[name!] = text!;
    } else if (word === '-X') method = value();
    else if (word === '-o') output = value();
    else if (word === '-G' || word === '-i') {
      // -G needs nothing more, as the pages only send `--data-urlencode` with it. -i only changes what curl prints.
    } else if (word === '--data-urlencode') query.push(encoded(value()));
    else if (word === '--json') {
      body = value();
      headers['Content-Type'] = 'application/json';
    } else if (word.startsWith('-') || url !== '') throw new Error(`${command}: ${word} is not supported`);
    else url = word;
  }
  if (!url.startsWith(`${address}/`)) throw new Error(`${command} does not call this service`);
  const path = [url.slice(address.length), ...query].join(url.includes('?') ? '&' : '?');
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    path,
    output,
    init: { headers, ...(body === undefined ? {} : { body }) },
  };
}

/** Encodes the value of `name=value`, as curl does. */
function encoded(pair: string): string {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(pair)!;
  return `${name}=${encodeURIComponent(value!)}`;
}
