import { ASSETS, type Filled } from './fill.ts';

/** The pages and single reads of the organisation's own data, as the measurement asks for them. */
export interface Question {
  readonly name: string;
  readonly method?: 'PUT' | 'POST';
  /** @param turn counts the requests, so that each asks for something else */
  path(filled: Filled, turn: number): string;
  body?(filled: Filled, turn: number): object;
  /** Reads pages from anywhere in the list: the cursors of its first pages are gathered before. */
  readonly paged?: true;
}

const nth = (list: readonly string[], turn: number): string => list[(turn * 7919) % list.length] ?? '';

const connection = ({ connections }: Filled, turn: number): string => `/v1/connections/${nth(connections, turn)}`;
const thread = ({ threads }: Filled, turn: number): string => `/v1/threads/${nth(threads, turn)}`;

export const QUESTIONS: readonly Question[] = [
  { name: 'custom fields', path: () => '/v1/custom-fields' },
  { name: 'values of a unit', path: ({ units }, turn) => `/v1/units/${nth(units, turn)}/custom-fields` },
  {
    name: 'units by a text of their own',
    // Texts end with the number of their unit; "anlage", which all of them have, is refused where there are very many.
    path: ({ units }, turn) => `/v1/units?suche=${Math.max(0, units.length - 1 - turn)}&limit=100`,
  },
  { name: 'contacts, any page', path: () => '/v1/contacts?limit=100', paged: true },
  { name: 'contacts of one kind, any page', path: () => '/v1/contacts?limit=100&kind=FUNCTION', paged: true },
  { name: 'contacts by a word that few have', path: (_, turn) => `/v1/contacts?suche=firma+${turn % 900}` },
  { name: 'contacts by a word that all have', path: () => '/v1/contacts?limit=100&suche=muster', paged: true },
  { name: 'contacts by a word that none has', path: () => '/v1/contacts?suche=niemand' },
  { name: 'connections', path: () => '/v1/connections?limit=100' },
  { name: 'one connection', path: connection },
  { name: 'assets of a connection, any page', path: (f, turn) => `${connection(f, turn)}/assets?limit=100` },
  {
    name: 'shared fields of one unit',
    path: (f, turn) => `${connection(f, turn)}/shared-fields?anlage=${f.units[turn % ASSETS]}`,
  },
  {
    name: 'shared fields of one direction',
    path: (f, turn) => `${connection(f, turn)}/shared-fields?richtung=REQUEST`,
  },
  { name: 'threads, any page', path: () => '/v1/threads?limit=100', paged: true },
  { name: 'threads of a category, any page', path: () => '/v1/threads?limit=100&category=TECHNIK', paged: true },
  {
    name: 'threads of a connection',
    path: ({ connections }, turn) => `/v1/threads?limit=100&connectionId=${nth(connections, turn)}`,
  },
  {
    name: 'threads that a user sees by routing',
    path: ({ users }) => `/v1/threads?limit=100&actingUserId=${users[1]}`,
    paged: true,
  },
  {
    name: 'threads that a user takes part in',
    path: ({ users }) => `/v1/threads?limit=100&actingUserId=${users[0]}`,
    paged: true,
  },
  { name: 'threads of a unit', path: ({ units }, turn) => `/v1/threads?limit=100&anlage=${units[turn % ASSETS]}` },
  { name: 'threads of a unit that none has', path: (_, turn) => `/v1/threads?anlage=SEE${999_999_000_000 + turn}` },
  { name: 'one thread', path: thread },
  { name: 'messages of a thread', path: (f, turn) => `${thread(f, turn)}/messages?limit=100` },
  { name: 'new messages of a thread', path: (f) => `${thread(f, 0)}/messages?limit=10`, paged: true },
  {
    name: 'writing a value',
    method: 'PUT',
    path: ({ units }, turn) => `/v1/units/${units[turn % Math.min(units.length, 1000)]}/custom-fields`,
    body: ({ fields }, turn) => ({ values: [{ defId: fields[0], text: `neu ${turn}` }] }),
  },
  {
    name: 'writing a message',
    method: 'POST',
    path: (f, turn) => `${thread(f, turn)}/messages`,
    body: (_, turn) => ({ body: `Nachricht ${turn}` }),
  },
];
