import type { OrganisationRow } from '../../sql/org/organisations.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { connect } from './connections.ts';
import { makeKey, makeOrganisation } from './organisation.ts';
import { unit } from './portfolio.ts';
import { withKey } from './requests.ts';
import type { ServiceResponse, Subject } from './service.ts';

/** An organisation that writes to another one over HTTP. */
export interface Correspondent {
  readonly organisation: OrganisationRow;
  readonly key: string;
  /** Creates a thread; the connection is the one that both were made with, unless the body names another. */
  create(body?: object, how?: How): Promise<ServiceResponse>;
  /** Writes a message. */
  write(thread: string, body: object, how?: How): Promise<ServiceResponse>;
  threads(query?: string): Promise<ServiceResponse>;
  thread(id: string): Promise<ServiceResponse>;
  messages(thread: string, query?: string): Promise<ServiceResponse>;
}

interface How {
  /** Idempotency-Key. */
  readonly once?: string;
  /** Query string without `?`. */
  readonly query?: string;
  /** The instance of the service that takes the call. Default: the one that both were made with. */
  readonly at?: Subject;
}

export interface Correspondents {
  readonly connection: string;
  /** The side that invited. */
  readonly ada: Correspondent;
  readonly ben: Correspondent;
}

/** Two connected organisations with units 1 to 3 in the scope of their connection. */
export async function makeCorrespondents(service: Subject, store: OrgStore): Promise<Correspondents> {
  const [one, other] = [
    await makeOrganisation(store, { name: 'Windpark Ada' }),
    await makeOrganisation(store, { name: 'Betriebsführung Ben' }),
  ];
  const connection = await connect(store, one, other, { assets: [unit(1), unit(2), unit(3)] });
  return {
    connection,
    ada: await correspondent(service, store, one, connection),
    ben: await correspondent(service, store, other, connection),
  };
}

/** @param connectionId the connection on which threads are created */
export async function correspondent(
  service: Subject,
  store: OrgStore,
  organisation: OrganisationRow,
  connectionId: string,
): Promise<Correspondent> {
  const key = (await makeKey(store, organisation)).text;
  const queryOf = (query: string) => (query === '' ? '' : `?${query}`);
  const post = (path: string, body: object, { once, query = '', at = service }: How = {}) =>
    at.send('POST', path + queryOf(query), {
      headers: {
        ...withKey(key),
        'Content-Type': 'application/json',
        ...(once === undefined ? {} : { 'Idempotency-Key': once }),
      },
      body: JSON.stringify(body),
    });
  const get = (path: string, query = '') => service.get(path + queryOf(query), withKey(key));
  return {
    organisation,
    key,
    create: (body = {}, how) => post('/v1/threads', { connectionId, body: 'Guten Tag', ...body }, how),
    write: (thread, body, how) => post(`/v1/threads/${thread}/messages`, body, how),
    threads: (query) => get('/v1/threads', query),
    thread: (id) => get(`/v1/threads/${id}`),
    messages: (thread, query) => get(`/v1/threads/${thread}/messages`, query),
  };
}

/** Creates a thread with the text `1`, and writes the numbers from 2 on in it. @returns its id */
export async function makeConversation(by: Correspondent, messages: number, body: object = {}): Promise<string> {
  const { json } = await by.create({ body: '1', ...body });
  const thread = json.data[0].id;
  for (let number = 2; number <= messages; number++) await by.write(thread, { body: String(number) });
  return thread;
}

/** Ids of the threads of a list. */
export const idsOf = ({ json }: ServiceResponse): string[] => json.data.map(({ id }: { id: string }) => id);

/** Texts of the messages of a list. */
export const textsOf = ({ json }: ServiceResponse): string[] => json.data.map(({ text }: { text: string }) => text);
