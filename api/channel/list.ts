import { z } from 'zod';
import { CATEGORIES } from '../../sql/org/records/mailboxes.ts';
import { type ListedThreadRow, listedThreadRow, threadsPage } from '../../sql/org/records/threads.ts';
import type { Session } from '../../sql/org/store.ts';
import { findConnection } from '../connections/find-connection.ts';
import { operation } from '../operation/operation.ts';
import { listMetaShape, openPage, pageParameters } from '../wire/paging.ts';
import { mastrNumber, oneWord, text } from '../wire/parameters.ts';
import { actingUser } from './sender.ts';
import { threadFrom, threadMembers } from './thread.ts';

const PATH = '/v1/threads';

const listedThread = z
  .strictObject({
    ...threadMembers,
    zustellung: z
      .strictObject({
        postfach: z
          .strictObject({ id: z.uuid(), name: z.string() })
          .nullable()
          .describe('The mailbox; null: the organisation has none that takes the thread'),
        allgemein: z.boolean().describe('No other mailbox takes the category, so the general one has it'),
      })
      .describe('Where the thread lies for this organisation, as routing is now'),
  })
  .meta({ id: 'Thread' });

const listedThreadFrom = ({ mailbox, ...row }: ListedThreadRow): z.infer<typeof listedThread> => ({
  ...threadFrom(row),
  zustellung: {
    postfach: mailbox === null ? null : { id: mailbox.id, name: mailbox.name },
    allgemein: mailbox?.general ?? true,
  },
});

const query = z.strictObject({
  ...pageParameters,
  connectionId: text().optional().describe('The threads of one connection, also of one that has ended'),
  category: oneWord(CATEGORIES).optional().describe('Category that decides the mailbox'),
  anlage: mastrNumber().optional().describe('MaStR number: threads about this unit'),
  actingUserId: text()
    .optional()
    .describe(
      'A user of the own organisation: only threads that this user sees, which lie in a mailbox of the user or have the user ' +
        'as participant. Default: all threads of the organisation',
    ),
});

/** Threads of the organisation, the one with the newest message first. */
export const listThreads = operation({
  id: 'threads.list',
  method: 'GET',
  path: PATH,
  summary: 'Threads, the one with the newest message first',
  description:
    'Without `connectionId`: the threads of all accepted connections. The pages of a list show the threads in their order at ' +
    'the moment of its first page, so none is skipped or repeated while messages arrive; what has come since is in the next list.',
  access: 'api',
  scope: 'channel:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  query,
  answer: z.strictObject({ data: z.array(listedThread), meta: z.strictObject(listMetaShape) }),
  problems: ['NOT_FOUND'],
  example: { query: 'category=TECHNIK&limit=20' },
  async handle({ query, search, service, caller, records }) {
    const { id } = caller.organisation;
    const { limit, cursor, ...question } = query;
    const list = openPage({ path: PATH, query: { limit, cursor }, search, service, question: [id, question] });
    const rows = await records(async (session) => {
      const filter = await filterOf(session, id, question);
      const [place, last] = list.after ?? [];
      const after =
        list.after === null ? null : { place: String(place), id: String(last), moment: String(list.memo?.moment) };
      return session.rows(listedThreadRow, threadsPage(id, { ...filter, after, limit: list.fetchLimit }));
    });
    // Everything that comes later is later than the newest message that the first page has seen.
    const moment = list.memo?.moment ?? rows[0]?.place ?? '';
    const page = list.page(rows, (row) => [row.place, row.id], { memo: { moment } });
    return { headers: page.headers, body: { data: page.rows.map(listedThreadFrom), meta: page.meta } };
  },
});

/** @throws Problem NOT_FOUND for a connection or a user that is not one of the organisation */
async function filterOf(
  session: Session,
  organisationId: string,
  { connectionId, category, anlage, actingUserId }: Omit<z.infer<typeof query>, 'limit' | 'cursor'>,
) {
  const connection = connectionId === undefined ? null : await findConnection(session, organisationId, connectionId);
  const user = await actingUser(session, organisationId, actingUserId);
  return {
    connectionId: connection?.id ?? null,
    category: category ?? null,
    asset: anlage ?? null,
    userId: user?.id ?? null,
  };
}
