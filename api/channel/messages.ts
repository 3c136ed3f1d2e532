import { z } from 'zod';
import { type MessageRow, messageRow, messagesPage } from '../../sql/org/records/messages.ts';
import type { ThreadDetailRow } from '../../sql/org/records/threads.ts';
import { operation } from '../operation/operation.ts';
import { pageOf, resumableMetaShape, resumablePageParameters } from '../wire/paging.ts';
import { EXAMPLE_THREAD, findThread, threadId } from './find-thread.ts';

const attachment = z.strictObject({
  id: z.uuid(),
  name: z.string().describe('Name of the file'),
  mediaType: z.string(),
  groesseBytes: z.int(),
});

const message = z
  .strictObject({
    id: z.uuid(),
    text: z.string().nullable().describe('Null only of a deleted message'),
    geloescht: z.boolean().describe('A deleted message stays as a row without text and attachments'),
    bearbeitet: z.boolean().describe('The text was changed afterwards'),
    absender: z.strictObject({
      organisation: z.string().describe('Name of the organisation that wrote it'),
      eigeneSeite: z.boolean().describe('The own organisation wrote it'),
      person: z.string().nullable().describe('Name of the person who wrote it; null: no single person'),
      viaApi: z.boolean().describe('The own side wrote it through the API; always false of the counterpart'),
    }),
    anhaenge: z.array(attachment).describe('What is attached, without its content'),
    geschriebenAm: z.iso.datetime(),
  })
  .meta({ id: 'Message' });

/** Lists the messages of a thread, oldest first. */
export const listMessages = operation({
  id: 'messages.list',
  method: 'GET',
  path: '/v1/threads/{id}/messages',
  summary: 'Messages of a thread, oldest first',
  description:
    'Keep `meta.cursor` of the last page: a call with it answers only the messages written since. It skips none and repeats ' +
    'none. A message that was edited or deleted later does not come again; `geaendertAm` of the thread tells.',
  access: 'api',
  scope: 'channel:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  pathParameters: threadId,
  query: z.strictObject(resumablePageParameters),
  answer: z.strictObject({ data: z.array(message), meta: z.strictObject(resumableMetaShape) }),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_THREAD }, query: 'limit=50' },
  async handle({ path, query, search, service, caller, records }) {
    const own = caller.organisation.id;
    const { thread, page } = await records(async (session) => {
      const thread = await findThread(session, own, path.id);
      const page = await pageOf<MessageRow>({
        path: `/v1/threads/${thread.id}/messages`,
        query,
        search,
        service,
        question: [own, thread.id],
        resumableFrom: [0],
        keyOf: (row) => [row.number],
        read: (after, limit) =>
          session.rows(messageRow, messagesPage(thread.id, { after: Number(after?.[0] ?? 0), limit })),
      });
      return { thread, page };
    });
    const data = page.rows.map((row) => messageFrom(row, own, thread));
    return { headers: page.headers, body: { data, meta: page.meta } };
  },
});

/** A message as one side sees it. */
function messageFrom(
  row: MessageRow,
  own: string,
  { ownName, counterpartName }: ThreadDetailRow,
): z.infer<typeof message> {
  const isOwn = row.senderId === own;
  return {
    id: row.id,
    text: row.text,
    geloescht: row.deletedAt !== null,
    bearbeitet: row.editedAt !== null,
    absender: {
      organisation: isOwn ? ownName : counterpartName,
      eigeneSeite: isOwn,
      person: row.person,
      viaApi: isOwn && row.viaApi,
    },
    anhaenge:
      row.deletedAt !== null
        ? []
        : row.attachments.map(({ id, name, mediaType, bytes }) => ({ id, name, mediaType, groesseBytes: bytes })),
    geschriebenAm: row.writtenAt,
  };
}
