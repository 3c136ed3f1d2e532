import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sql } from '../../sql/org/statement.ts';
import { subject } from '../support/service.ts';
import { end, MAIN } from '../support/service-process.ts';
import { type Installation, makeInstallation, PERSISTENT_STORES } from './installation.ts';

/** After a shutdown every answered call is in the audit log, although reads are recorded later. */

describe.each(PERSISTENT_STORES)('$name', ({ here, engine }) => {
  let place: Installation;
  beforeAll(async () => {
    if (here) place = await makeInstallation(engine);
  });
  afterAll(() => place?.remove());

  test.skipIf(!here)('SIGTERM right after a burst of reads loses none', async () => {
    const service = await place.start(MAIN);
    const { get } = subject(service.url, place.key);
    const answers = await Promise.all(Array.from({ length: 150 }, () => get('/v1/usage')));
    await end(service, 'SIGTERM');
    const answered = answers.map(({ headers }) => headers.get('x-request-id')!);
    const store = await place.openStore();
    const recorded = await store.autocommit(
      z.strictObject({ id: z.uuid() }),
      sql`SELECT request_id AS id FROM audit_log WHERE path = '/v1/usage'`,
    );
    await store.close();
    expect(recorded.map(({ id }) => id).sort()).toEqual(answered.sort());
  });
});
