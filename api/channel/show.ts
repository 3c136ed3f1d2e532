import { z } from 'zod';
import { operation } from '../operation/operation.ts';
import { EXAMPLE_THREAD, findThread, threadId } from './find-thread.ts';
import { threadFrom, threadMembers } from './thread.ts';

const thread = z
  .strictObject({
    ...threadMembers,
    gegenseite: z.strictObject({ name: z.string() }).describe('The other organisation'),
  })
  .meta({ id: 'ThreadDetail' });

/** A thread without its messages. */
export const showThread = operation({
  id: 'threads.show',
  method: 'GET',
  path: '/v1/threads/{id}',
  summary: 'A thread, without its messages',
  access: 'api',
  scope: 'channel:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  pathParameters: threadId,
  answer: z.strictObject({ data: thread, meta: z.strictObject({}) }),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_THREAD } },
  async handle({ path, caller, records }) {
    const row = await records((session) => findThread(session, caller.organisation.id, path.id));
    return { body: { data: { ...threadFrom(row), gegenseite: { name: row.counterpartName } }, meta: {} } };
  },
});
