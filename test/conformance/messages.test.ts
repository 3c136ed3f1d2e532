import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../sql/org/statement.ts';
import { cases } from '../support/cases.ts';
import {
  type Correspondent,
  type Correspondents,
  makeConversation,
  makeCorrespondents,
  textsOf,
} from '../support/correspondents.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveSharedFixture } from '../support/service.ts';

/** GET /v1/threads/{id}/messages, and the cursor that is kept to read only what is new. */

let service: OwnSubject;
let pair: Correspondents;
let ada: Correspondent;
let ben: Correspondent;
beforeAll(async () => {
  service = await serveSharedFixture();
});
beforeEach(async () => {
  pair = await makeCorrespondents(service, service.store);
  ({ ada, ben } = pair);
});
afterAll(() => service.stop());

const change = (statement: Parameters<Parameters<Parameters<OwnSubject['store']['asOperator']>[0]>[0]['run']>[0]) =>
  service.store.asOperator((session) => session.run(statement));

describe('a message', () => {
  test('that was edited says so', async () => {
    const thread = await makeConversation(ada, 1);
    await change(sql`UPDATE messages SET text = 'Besser', edited_at = now() WHERE thread_id = ${thread}::uuid`);
    expect((await ben.messages(thread)).json.data).toMatchObject([
      { text: 'Besser', bearbeitet: true, geloescht: false },
    ]);
  });

  test('that was deleted stays as a row, without text and attachments', async () => {
    const thread = await makeConversation(ada, 2);
    const attached = JSON.stringify([
      { id: '019a0f6e-7c1b-7d52-9f0e-00000000f003', name: 'Plan.pdf', mediaType: 'application/pdf', bytes: 7 },
    ]);
    await change(sql`UPDATE messages SET attachments = ${attached}::text::jsonb WHERE thread_id = ${thread}::uuid`);
    await change(
      sql`UPDATE messages SET text = NULL, deleted_at = now() WHERE thread_id = ${thread}::uuid AND number = 1`,
    );
    const [deleted, kept] = (await ben.messages(thread)).json.data;
    expect(deleted).toMatchObject({
      text: null,
      geloescht: true,
      anhaenge: [],
      absender: { organisation: 'Windpark Ada', eigeneSeite: false },
    });
    expect(kept.anhaenge).toEqual([
      {
        id: '019a0f6e-7c1b-7d52-9f0e-00000000f003',
        name: 'Plan.pdf',
        mediaType: 'application/pdf',
        groesseBytes: 7,
      },
    ]);
    expect((await ada.thread(thread)).json.data.nachrichtenAnzahl).toBe(2);
  });

  test('names its organisation as it is called now, on both sides', async () => {
    const thread = await makeConversation(ada, 1);
    await change(sql`UPDATE organisations SET name = 'Ada Neu' WHERE id = ${ada.organisation.id}::uuid`);
    for (const side of [ada, ben]) {
      expect((await side.messages(thread)).json.data[0].absender.organisation).toBe('Ada Neu');
    }
    expect((await ben.thread(thread)).json.data.gegenseite.name).toBe('Ada Neu');
  });
});

describe('pages', () => {
  test('oldest first; Link while a page follows now, a cursor also when none does', async () => {
    const thread = await makeConversation(ada, 3);
    const first = await ben.messages(thread, 'limit=2');
    expect(textsOf(first)).toEqual(['1', '2']);
    const { cursor } = first.json.meta;
    expect(first.json.meta).toEqual({ count: 2, hasMore: true, cursor: expect.any(String), truncated: false });
    const address = `${service.url}/v1/threads/${thread}/messages?limit=2`;
    expect(first.headers.get('link')).toBe(`<${address}&cursor=${cursor}>; rel="next"`);
    const last = await ben.messages(thread, `limit=2&cursor=${cursor}`);
    expect(textsOf(last)).toEqual(['3']);
    expect(last.json.meta).toEqual({ count: 1, hasMore: false, cursor: expect.any(String), truncated: false });
    expect(last.headers.get('link')).toBe(`<${address}>; rel="first"`);
  });

  test('a kept cursor reads only what is new, again and again; while nothing is, it is good for the next time', async () => {
    const thread = await makeConversation(ada, 2);
    let { cursor } = (await ben.messages(thread)).json.meta;
    for (const round of ['a', 'b']) {
      const nothing = await ben.messages(thread, `cursor=${cursor}`);
      expect(nothing.json).toEqual({
        data: [],
        meta: { count: 0, hasMore: false, cursor: expect.any(String), truncated: false },
      });
      expect(nothing.headers.get('link')).not.toContain('next');
      await ben.write(thread, { body: round });
      await ada.write(thread, { body: round });
      const news = await ben.messages(thread, `cursor=${nothing.json.meta.cursor}`);
      expect(textsOf(news)).toEqual([round, round]);
      expect(textsOf(await ben.messages(thread, `cursor=${cursor}`))).toEqual([round, round]);
      ({ cursor } = news.json.meta);
    }
  });

  test('a cursor belongs to its thread and its organisation', async () => {
    const [one, two] = [await makeConversation(ada, 2), await makeConversation(ada, 2)];
    const { cursor } = (await ada.messages(one)).json.meta;
    for (const response of [
      await ada.messages(two, `cursor=${cursor}`),
      await ben.messages(one, `cursor=${cursor}`),
      await ada.threads(`cursor=${cursor}`),
    ]) {
      expectProblem(response, 400, 'INVALID_CURSOR');
    }
    expect((await ada.messages(one.toUpperCase(), `cursor=${cursor}`)).status).toBe(200);
  });

  test('whatever is written between pages of any size: each message once, in the order of its time', async () => {
    const turns = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 4 }), written: fc.nat(4) }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(turns, async (drawn) => {
        const thread = await makeConversation(ada, 1);
        let count = 1;
        const read: string[] = [];
        let cursor = '';
        const readOn = async (limit: number): Promise<ServiceResponse> => {
          const page = await ben.messages(thread, `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
          read.push(...textsOf(page));
          ({ cursor } = page.json.meta);
          return page;
        };
        for (const { limit, written } of drawn) {
          await readOn(limit);
          for (let more = 0; more < written; more++) {
            count += 1;
            await (more % 2 === 0 ? ada : ben).write(thread, { body: String(count) });
          }
        }
        while ((await readOn(3)).json.meta.hasMore);
        expect(read).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)));
        const { data } = (await ada.messages(thread)).json;
        const times = data.map(({ geschriebenAm }: { geschriebenAm: string }) => geschriebenAm);
        expect(times).toEqual([...new Set(times)].sort());
      }),
      { numRuns: cases(8) },
    );
  });

  test('10,000 messages end a list, and its cursor goes on with the next', async () => {
    const thread = await makeConversation(ada, 1);
    await change(sql`
      INSERT INTO messages (id, thread_id, number, sender_id, via_api, text, attachments, written_at)
      SELECT gen_random_uuid(), ${thread}::uuid, n, ${ada.organisation.id}::uuid, true, n::text, '[]',
        now() + n * interval '1 second'
      FROM generate_series(2, 10300) AS n`);
    const pages: ServiceResponse[] = [];
    let cursor = '';
    while (pages.at(-1)?.json.meta.hasMore !== false) {
      pages.push(await ben.messages(thread, `limit=250${cursor === '' ? '' : `&cursor=${cursor}`}`));
      ({ cursor } = pages.at(-1)!.json.meta);
    }
    expect(pages.flatMap(textsOf)).toHaveLength(10_000);
    expect(pages.at(-1)!.json.meta).toMatchObject({ hasMore: false, truncated: true, cursor: expect.any(String) });
    expect(pages.at(-1)!.headers.get('link')).not.toContain('next');
    const beyond = await ben.messages(thread, `limit=250&cursor=${cursor}`);
    expect(beyond.json.meta).toMatchObject({ count: 250, hasMore: true, truncated: false });
    expect(textsOf(beyond)[0]).toBe('10001');
    const end = await ben.messages(thread, `limit=250&cursor=${beyond.json.meta.cursor}`);
    expect([textsOf(end).at(-1), end.json.meta.truncated]).toEqual(['10300', false]);
  });
});
