import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Publication } from '../../../sql/warehouse/versions.ts';
import { expectProblem } from '../../support/requests.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { buildChain, type Chain, publishAt, serving } from '../delta/chain.ts';

/** Whoever follows the changes of the register is told when versions are withdrawn that have been read. */

let chain: Chain;
let service: OwnSubject;
let publish: (version: number, minute: number, cause?: Publication['cause']) => Promise<void>;
beforeAll(async () => {
  chain = await buildChain();
  const warehouse = chain.copy('feed');
  publishAt(warehouse, chain.versions[0]!, 0);
  service = await serve(warehouse, { TODAY: '2026-12-12' });
  publish = (version, minute, cause) =>
    serving(service, publishAt(warehouse, chain.versions[version - 1]!, minute, cause));
}, 240_000);
afterAll(async () => {
  await service?.stop();
  chain.remove();
});

interface Change {
  readonly mastrNummer: string;
  readonly version: string;
  readonly art: string;
  readonly felder: readonly string[];
}

async function changesFrom(question: string, from = ''): Promise<{ changes: Change[]; cursor: string }> {
  const changes: Change[] = [];
  for (let cursor = from; ; ) {
    const { status, json } = await service.get(
      `/v1/aenderungen?limit=20${question}&cursor=${cursor}`.replace(/&cursor=$/, ''),
    );
    expect({ status, detail: json.detail }).toEqual({ status: 200 });
    changes.push(...json.data);
    if (!json.meta.hasMore) return { changes, cursor: json.meta.cursor };
    cursor = json.meta.cursor;
  }
}

async function units(): Promise<string[]> {
  const numbers: string[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await service.get(`/v1/units?limit=250&fields=mastrNummer${cursor}`);
    numbers.push(...json.data.map(({ mastrNummer }: Change) => mastrNummer));
    if (!json.meta.page.hasMore) return numbers.sort();
    cursor = `&cursor=${json.meta.page.cursor}`;
  }
}

/** The units that there are after changes. */
function applied(before: readonly string[], changes: readonly Change[]): string[] {
  const numbers = new Set(before);
  for (const { mastrNummer, art } of changes) {
    if (art === 'neu') numbers.add(mastrNummer);
    if (art === 'entfallen') numbers.delete(mastrNummer);
  }
  return [...numbers].sort();
}

it('refuses a cursor that stands on a withdrawn version, and what it advises leads to the units that there are', async () => {
  const first = await units();
  const begun = await changesFrom('');
  expect(begun.changes).toEqual([]);
  await publish(2, 1);
  const good = await changesFrom('', begun.cursor);
  // Days alone change nothing.
  const byItself = ({ felder }: Change) => felder.every((name) => ['signals', 'ibnVerschiebungTage'].includes(name));
  expect(good.changes.filter((change) => change.art === 'geaendert' && byItself(change))).toEqual([]);
  await publish(3, 2);
  const bad = await changesFrom('', good.cursor);
  expect(new Set(bad.changes.map(({ version }) => version))).toEqual(new Set([chain.versions[2]]));

  await publish(2, 3, 'rollback');
  const refused = await service.get(`/v1/aenderungen?limit=20&cursor=${bad.cursor}`);
  expectProblem(refused, 400, 'INVALID_CURSOR');
  expect(refused.json.detail).toBe(
    `cursor stands on a version that has been withdrawn since: read again with von=2026-11-20 and without cursor, and drop what you have read of versions after ${chain.versions[1]}`,
  );
  // Whoever had not read it goes on.
  expect(await changesFrom('', good.cursor)).toMatchObject({ changes: [] });

  await publish(4, 4);
  expectProblem(await service.get(`/v1/aenderungen?limit=20&cursor=${bad.cursor}`), 400, 'INVALID_CURSOR');
  const advised = await changesFrom('&von=2026-11-20');
  expect(new Set(advised.changes.map(({ version }) => version))).toEqual(new Set([chain.versions[3]]));
  expect(applied(first, [...good.changes, ...advised.changes])).toEqual(await units());
  const following = await changesFrom('', good.cursor);
  expect(following.changes).toEqual(advised.changes);
});
