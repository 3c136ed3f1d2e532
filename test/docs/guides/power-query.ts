import type { Subject } from '../../support/service.ts';

/** Sends the requests of a query in M, as Excel would: address, path, query and headers are those that its text has. */

interface Replayed {
  /** The columns that the query makes a table of, or gives a type. */
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * @param text the query, with the key of the service
 * @param address origin of the service, as the page writes it
 * @throws Error for a query that is written in another way than those of the pages
 */
export async function replayQuery(text: string, address: string, service: Subject): Promise<Replayed> {
  const host = partOf(text, /Web\.Contents\((\w+|"[^"]*")/);
  const origin = host.startsWith('"') ? host.slice(1, -1) : partOf(text, new RegExp(`\\b${host} = "([^"]*)"`));
  if (origin !== address) throw new Error(`The query asks ${origin}`);
  const path = `/${partOf(text, /RelativePath = "([^"]*)"/)}`;
  const query = fieldsOf(partOf(text, /Query = \[(.*?)\]/s));
  const headers = fieldsOf(partOf(text, /Headers = \[(.*?)\]/s));
  const ask = async (cursor: string | null) => {
    const parameters = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) });
    const answer = await service.send('GET', `${path}?${parameters}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${answer.text}`);
    return answer;
  };
  const columns = [...columnsIn(text)];
  if (text.includes('Csv.Document(')) {
    const [header = '', ...lines] = (await ask(null)).text.trimEnd().split('\r\n');
    const names = header.split(',');
    return {
      columns,
      rows: lines.map((line) => Object.fromEntries(names.map((name, at) => [name, line.split(',')[at]]))),
    };
  }
  // These are how the query finds the next page.
  for (const part of ['[cursor = cursor]', '[meta][page][hasMore]', '[meta][page][cursor]', '[data]']) {
    if (!text.includes(part)) throw new Error(`The query lacks ${part}`);
  }
  const rows: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const { json } = await ask(cursor);
    rows.push(...json.data);
    cursor = json.meta.page.hasMore ? json.meta.page.cursor : null;
    if (cursor === null && rows.length !== json.meta.page.total) throw new Error('The pages are not the whole list');
  } while (cursor !== null);
  return { columns, rows };
}

function partOf(text: string, pattern: RegExp): string {
  const [, part] = pattern.exec(text) ?? [];
  if (part === undefined) throw new Error(`The query has no ${pattern.source}`);
  return part;
}

/** The fields of a record whose values are texts. */
const fieldsOf = (record: string): Record<string, string> =>
  Object.fromEntries(
    [...record.matchAll(/#?"?([\w-]+)"? = "([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );

function columnsIn(text: string): Set<string> {
  const typed = [...text.matchAll(/\{"(\w+)", (?:type \w+|Int64\.Type)\}/g)].map(([, name = '']) => name);
  const listed = /Table\.FromRecords\(.*?\{([^}]*)\}/s.exec(text)?.[1] ?? '';
  return new Set([...typed, ...[...listed.matchAll(/"(\w+)"/g)].map(([, name = '']) => name)]);
}
