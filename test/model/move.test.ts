import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetUnusedWords } from '../../api/jobs/forget-words.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { everything } from '../support/filled-store.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';
import { drawnEngines, openFresh } from '../support/store-engines.ts';
import { type Arranged, arrangeEverything } from './everything.ts';
import { newWorld } from './history.ts';
import { Reality } from './world/reality.ts';

/** Organisations with something of everything move to another store, alone, together, and as a backup. */

for (const engine of drawnEngines(2)) {
  describe(engine.name, () => {
    const state = temporaryFolder();
    let service: OwnSubject;
    let store: OrgStore;
    let there: OrgStore;
    let reality: Reality;
    let arranged: Arranged;

    beforeAll(async () => {
      store = await openFresh(engine);
      there = await openFresh(engine);
      service = await serveOwnFixture({ STATE_DIR: state.path }, store);
      reality = new Reality(service, state.path);
      await reality.found(newWorld(4));
      arranged = await arrangeEverything(reality);
    });
    afterAll(async () => {
      await service?.stop();
      await store?.close();
      await there?.close();
      state.remove();
    });

    const exported = (organisation: string, from = store) =>
      reality.command(['export', reality.externalId(organisation)], undefined, from);
    const imported = (document: unknown) => reality.command(['import', '-'], document, there);

    test('a document has something in every section', async () => {
      const { format: _, organisation: __, ...sections } = await exported('A');
      expect(Object.entries(sections).filter(([, items]) => (items as unknown[]).length === 0)).toEqual([]);
    });

    test('one alone, without its partners: what it exports there is what it exported here', async () => {
      const document = await exported('A');
      await imported(document);
      expect(await exported('A', there)).toEqual(document);
    });

    test('its partners after it: both sides are connected again, and export the same', async () => {
      for (const name of ['B', 'C', 'D']) await imported(await exported(name));
      for (const name of ['A', 'B', 'C', 'D']) expect(await exported(name, there)).toEqual(await exported(name));
    });

    test('a second import changes nothing', async () => {
      for (const name of ['A', 'B', 'C', 'D']) {
        const { counts } = await imported(await exported(name));
        const changed = Object.values<{ created: number; updated: number }>(counts).filter(
          ({ created, updated }) => created + updated > 0,
        );
        expect(changed).toEqual([]);
      }
    });

    test('the API answers there as it does here, with the same keys', async () => {
      const moved = await serveOwnFixture({ STATE_DIR: state.path }, there);
      try {
        const { connection, thread } = arranged;
        for (const side of ['A', 'B'])
          for (const path of [
            ...['/v1/custom-fields', '/v1/units/SEE900000000001/custom-fields', '/v1/units?suche=grosse'],
            ...['/v1/contacts', '/v1/connections', '/v1/connections?status=REVOKED', `/v1/connections/${connection}`],
            ...[`/v1/connections/${connection}/assets`, `/v1/connections/${connection}/shared-fields`],
            ...['/v1/threads', `/v1/threads/${thread}`, `/v1/threads/${thread}/messages`],
          ]) {
            const here = await reality.ask(side, path);
            const other = await reality.ask(side, path, undefined, 'GET', moved);
            // A cursor is opaque, and links to units have the address of their service.
            const shown = ({ json, status }: typeof here) => ({
              status,
              data: JSON.parse(JSON.stringify(json.data).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '')),
            });
            expect(shown(other), `${side} ${path}`).toEqual(shown(here));
          }
      } finally {
        await moved.stop();
      }
    });

    /** All rows but those that calls and jobs write, also meanwhile. */
    const kept = async (from: OrgStore) => {
      const { audit_log: _, limit_windows: __, usage_months: ___, job_runs: ____, ...tables } = await everything(from);
      return tables;
    };

    test('a backup brings back every row of every table', async () => {
      // The sweep of the service may do it at any moment, also between the backup and the comparison.
      await forgetUnusedWords(store);
      const file = join(state.path, 'backup.gz');
      await store.backup(file);
      await there.restore(file, true);
      expect(await kept(there)).toEqual(await kept(store));
    });
  });
}
