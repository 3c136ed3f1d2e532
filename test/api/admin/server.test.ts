import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureDemo } from '../../../api/admin/demo.ts';
import { putPortfolio } from '../../../sql/org/records/portfolio.ts';
import { waitForExit } from '../../support/command.ts';
import { freshDatabase, POSTGRES_HERE, POSTGRES_SUITE } from '../../support/database.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { startNode } from '../../support/node-process.ts';
import { preparedStore } from '../../support/prepared-store.ts';
import { type Console, openConsole } from './console.ts';

/** On a Postgres server several command lines and services work at the same time. */
describe.skipIf(!POSTGRES_HERE)(POSTGRES_SUITE, () => {
  let url: string;
  let one: Console;
  let other: Console;

  beforeAll(async () => {
    url = await freshDatabase();
    one = await openConsole(url);
    other = await openConsole(url);
  });

  afterAll(async () => {
    await one.close();
    await other.close();
  });

  test('one of several services that start at once on an empty store makes the demo', async () => {
    const starts = [one, other, one, other].map(({ store, settings }) => ensureDemo(store, settings));
    const keys = (await Promise.all(starts)).flatMap((demo) => (demo === null ? [] : [demo.key]));
    expect(keys).toHaveLength(1);
    expect(await one.json('keys list demo')).toHaveLength(1);
    const files = [one, other].flatMap(({ settings: { STATE_DIR } }) =>
      readdirSync(STATE_DIR)
        .filter((file) => file === 'demo-key')
        .map((file) => readFileSync(join(STATE_DIR, file), 'utf8')),
    );
    expect(files).toEqual([`${keys[0]}\n`]);
  });

  test('concurrent changes of one organisation are all kept', async () => {
    await one.json('organisations create werk --name Werk --modules api');
    const modules = ['analysis', 'workspace', 'portfolio', 'connection', 'ausschreibungen'];
    await Promise.all(
      modules.map((module, index) => (index % 2 === 0 ? one : other).json(`organisations modules add werk ${module}`)),
    );
    expect((await one.json('organisations show werk')).organisation.modules.toSorted()).toEqual(
      ['api', ...modules].toSorted(),
    );
  });

  test('one of two commands that create the same organisation is refused and may try again', async () => {
    const made = await Promise.all([one, other].map((admin) => admin.run('organisations create werk2 --name Werk')));
    const codes = made.map(({ code }) => code).toSorted();
    expect(codes[0]).toBe(0);
    // It is refused when it sees the other organisation, otherwise it may try again.
    expect([4, 5]).toContain(codes[1]);
    const organisations: { externalId: string }[] = await one.json('organisations list');
    const names = organisations.map(({ externalId }) => externalId).toSorted();
    expect(names).toEqual(['demo', 'demo-partner', 'werk', 'werk2']);
  });

  test('a move from the embedded store carries everything, and has a dry run', async () => {
    const embedded = await openConsole(await preparedStore());
    await embedded.json([
      'organisations',
      'create',
      'moved',
      '--name',
      'Müller & Söhne',
      '--modules',
      'all',
      '--signals',
      'all',
    ]);
    await embedded.json('organisations limits set moved standard=120 webhooksEnabled=false');
    await embedded.json('users create moved anna --name Anna --role owner');
    await embedded.json('keys create moved --name K --scopes all --by anna --expires 2090-01-31');
    const { organisation } = await embedded.json('organisations show moved');
    const now = new Date().toISOString();
    const entry = {
      id: crypto.randomUUID(),
      mastrNumber: 'SEE900000000001',
      relationType: 'OPERATOR',
      externalRefs: { sap: '4711', 'a "b"': 'ü\\' },
      createdAt: now,
      updatedAt: now,
      removedAt: now,
    } as const;
    await embedded.store.asOperator((session) => session.run(putPortfolio(organisation.id, [entry])));
    const document = (await embedded.run('export moved')).out;
    await embedded.close();

    expect(await one.json('import - --dry-run', document)).toMatchObject({ counts: { keys: { created: 1 } } });
    expect(await one.run('organisations show moved')).toMatchObject({ code: 5 });
    expect(await one.json('import -', document)).toMatchObject({ counts: { portfolio: { created: 1 } } });
    expect(await other.json('export moved')).toEqual(JSON.parse(document));
    const again = await other.json('import -', document);
    expect(again.counts).toMatchObject({ organisation: { unchanged: 1 }, keys: { unchanged: 1 } });
    await one.json('organisations delete moved --yes-delete-everything-of moved');
    expect(await one.run('organisations show moved')).toMatchObject({ code: 5 });
  });

  test('needs no service and leaves nothing in STATE_DIR', async () => {
    const state = temporaryFolder();
    const main = new URL('../../../api/admin/main.ts', import.meta.url);
    const env = { STATE_DIR: state.path, ORG_STORE_URL: await freshDatabase() };
    const admin = (words: string) => waitForExit(startNode(main, words.split(' '), env));
    expect(JSON.parse((await admin('migrate --dry-run --json')).out).migrations[0]).toBe('0001_organisations.sql');
    expect(await admin('organisations create werk --name Werk')).toMatchObject({ code: 0 });
    expect(JSON.parse((await admin('organisations list --json')).out)).toMatchObject([{ externalId: 'werk' }]);
    expect(JSON.parse((await admin('migrate --dry-run --json')).out)).toMatchObject({ migrations: [] });
    expect(readdirSync(state.path)).toEqual([]);
    state.remove();
  });
});
