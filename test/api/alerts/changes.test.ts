import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { NotComparable } from '../../../api/alerts/changes.ts';
import { versionFolder } from '../../../sql/warehouse/versions.ts';
import { buildChain, type Chain } from '../delta/chain.ts';
import { changesFound, changesOfAll, versionsIn } from './versions.ts';

let chain: Chain;
beforeAll(async () => {
  chain = await buildChain();
}, 240_000);
afterAll(() => chain.remove());

const id = (number: number): string => chain.versions[number - 1]!;

describe('between any two versions, the changes are those that a comparison of all units finds', () => {
  let warehouse: string;
  beforeAll(() => {
    warehouse = chain.copy('changes');
  });

  test.each([1, 2, 3, 4].flatMap((from) => [1, 2, 3, 4].map((to) => [from, to])))('%i to %i', async (from, to) => {
    const found = await changesFound(versionsIn(warehouse), id(from!), id(to!));
    expect(found).toEqual(await changesOfAll(warehouse, id(from!), id(to!)));
    expect(found.length === 0).toBe(from === to);
  });
});

describe('without the file of the earlier version', () => {
  it.each([
    [1, 2],
    [2, 3],
    [1, 3],
  ])('former rows say what has changed from %i to %i', async (from, to) => {
    const whole = chain.copy(`whole-${from}-${to}`);
    const pruned = chain.copy(`pruned-${from}-${to}`);
    rmSync(versionFolder(pruned, id(from)), { recursive: true });
    expect(await changesFound(versionsIn(pruned), id(from), id(to))).toEqual(
      await changesOfAll(whole, id(from), id(to)),
    );
  });

  it('a version that was rolled back in between leaves rows from which nothing follows', async () => {
    const pruned = chain.copy('withdrawn-between');
    rmSync(versionFolder(pruned, id(2)), { recursive: true });
    await expect(changesFound(versionsIn(pruned), id(2), id(4))).rejects.toThrow(NotComparable);
  });
});
