import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serverVersions } from '../../../api/warehouse/clickhouse/version-store.ts';
import type { VersionStore } from '../../../api/warehouse/warehouse.ts';
import { clickhouseAddress } from '../../../runtime/clickhouse-address.ts';
import { openClient } from '../../../sql/warehouse/clickhouse/client.ts';
import { ONE_SERVER } from '../../../sql/warehouse/clickhouse/placement.ts';
import { addPublication, pointerStatements } from '../../../sql/warehouse/clickhouse/publications.ts';
import { clickhouseOfRun } from '../../support/clickhouse-of-run.ts';
import type { ClickHouseAccess } from '../../support/clickhouse-server.ts';

/** The pointer as a reader sees it whose questions reach a replica now and then that has not received the newest row yet. */

const PREFIX = 'energy_pointer';

describe('a reader of the pointer', () => {
  let server: ClickHouseAccess;
  let writer: ClickHouseClient;
  let store: VersionStore;

  beforeAll(async () => {
    server = await clickhouseOfRun();
    writer = openClient(clickhouseAddress(server.warehouse('energy_loader', PREFIX)), {
      silenceSeconds: 60,
      connections: 1,
    });
  });

  beforeEach(async () => {
    await server.run(`DROP DATABASE IF EXISTS ${PREFIX} SYNC`);
    await begin();
    store = serverVersions(
      clickhouseAddress(server.warehouse('energy_reader', PREFIX)),
      { threads: 1, memoryMb: 100 },
      { statementEnded: () => {}, unitsRead: () => {} },
    );
  });

  afterEach(() => store.close());
  afterAll(() => writer.close());

  const begin = async () => {
    for (const query of pointerStatements(PREFIX, ONE_SERVER)) await writer.command({ query });
  };
  const publish = (number: number, version: string, publishedAt: string) =>
    addPublication(writer, PREFIX, number, {
      ...{ version, publishedAt, cause: 'build', sequence: number, exportDay: '2026-11-01' },
    });
  /** Takes the newest row away, as a replica lacks it that is behind. */
  const lagBehind = (number: number) =>
    server.run(`ALTER TABLE ${PREFIX}.publications DELETE WHERE number = ${number} SETTINGS mutations_sync = 1`);
  const served = async () => {
    const revision = await store.revision();
    return { revision, versions: (await store.publications()).map(({ version }) => version) };
  };

  test('follows publications, and a roll-back, which is one', async () => {
    expect(await served()).toEqual({ revision: null, versions: [] });
    await publish(1, '20261101-0001', '2026-11-02T04:30:00.000Z');
    const first = await served();
    await publish(2, '20261102-0002', '2026-11-03T04:30:00.000Z');
    const second = await served();
    await publish(3, '20261101-0001', '2026-11-03T09:00:00.000Z');
    const third = await served();
    expect(third.versions).toEqual(['20261101-0001', '20261102-0002', '20261101-0001']);
    expect(new Set([first, second, third].map(({ revision }) => revision)).size).toBe(3);
  });

  test('does not go back to what a replica says that is one row behind', async () => {
    await publish(1, '20261101-0001', '2026-11-02T04:30:00.000Z');
    await publish(2, '20261102-0002', '2026-11-03T04:30:00.000Z');
    const newest = await served();
    await lagBehind(2);
    expect(await served()).toEqual(newest);
    await server.run(`TRUNCATE TABLE ${PREFIX}.publications`);
    expect(await served()).toEqual(newest);
  });

  test('follows a pointer that was lost and begun anew', async () => {
    await publish(1, '20261101-0001', '2026-11-02T04:30:00.000Z');
    await publish(2, '20261102-0002', '2026-11-03T04:30:00.000Z');
    await served();
    await server.run(`DROP DATABASE ${PREFIX} SYNC`);
    await begin();
    await publish(1, '20261102-0002', '2026-11-04T04:30:00.000Z');
    expect((await served()).versions).toEqual(['20261102-0002']);
  });
});
