import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OrgStore } from '../../../sql/org/store.ts';
import { type Publication, publish } from '../../../sql/warehouse/versions.ts';
import { cases } from '../../support/cases.ts';
import { openFailingStore } from '../../support/failing-store.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { buildChain, type Chain, moment, serving } from './chain.ts';
import { AnchorRefused, Mirror } from './mirror.ts';

/**
 * A mirror that follows by `updatedSince`, with a clock of its own, loses nothing either: after publications and roll-backs
 * at any moment it equals the served version, or is told to begin again (docs/decisions/0006-delta.md).
 */

let chain: Chain;
let store: OrgStore;
beforeAll(async () => {
  [chain, store] = await Promise.all([buildChain(), openFailingStore()]);
}, 240_000);
afterAll(async () => {
  await store.close();
  chain.remove();
});

const start = (warehouse: string): Promise<OwnSubject> => serve(warehouse, { TODAY: '2026-12-12' }, store);

const since = (time: Date): string => `updatedSince=${time.toISOString()}`;

/** A service over the versions of the chain whose clock the test sets. */
async function staged(name: string, first = 2) {
  const warehouse = chain.copy(name);
  const put = (number: number, at: Date, cause: Publication['cause']) =>
    publish(warehouse, chain.versions[number - 1] ?? '', cause, at);
  put(first, moment(0), 'build');
  const service = await start(warehouse);
  return {
    service,
    serve: (number: number, at: Date, cause: Publication['cause'] = 'build') =>
      serving(service, put(number, at, cause)),
    stop: () => service.stop(),
  };
}

describe('a withdrawn version, for clients that use updatedSince', () => {
  describe('whoever has read it', () => {
    let stage: Awaited<ReturnType<typeof staged>>;
    const mirror = new Mirror('');
    beforeAll(async () => {
      stage = await staged('withdrawn');
      await stage.serve(3, moment(10));
      await mirror.follow(stage.service);
      await stage.serve(2, moment(20), 'rollback');
    });
    afterAll(() => stage?.stop());

    it.each([0, 1, 4, 6, 300])(
      'and takes the moment %i s after its publication, is told to begin again',
      async (seconds) => {
        const follow = mirror.follow(stage.service, { anchor: since(moment(10, seconds)) });
        await expect(follow).rejects.toThrow(AnchorRefused);
      },
    );
  });

  it('a list that began before its publication and continued in it is refused, too; the next build completes it', async () => {
    const stage = await staged('walk');
    try {
      const mirror = new Mirror('');
      await mirror.follow(stage.service, { page: 100, between: async () => void (await stage.serve(3, moment(10))) });
      await stage.serve(2, moment(20), 'rollback');
      const begun = since(moment(5));
      await expect(mirror.follow(stage.service, { anchor: begun })).rejects.toThrow(AnchorRefused);
      // So is a mirror that began before the first publication.
      const early = since(new Date('2026-08-11T00:00:00Z'));
      await expect(mirror.follow(stage.service, { anchor: early })).rejects.toThrow(AnchorRefused);
      await stage.serve(4, moment(30));
      await mirror.follow(stage.service, { anchor: begun });
      await mirror.mustBeWhole(stage.service);
    } finally {
      await stage.stop();
    }
  });

  it('an entity tag from before the roll-back does not become valid again', async () => {
    const stage = await staged('tags');
    try {
      const path = `/v1/units?limit=1&${since(moment(5))}`;
      const before = await stage.service.get(path);
      await stage.serve(3, moment(10));
      await stage.serve(2, moment(20), 'rollback');
      const after = await stage.service.get(path, { 'If-None-Match': before.headers.get('etag') ?? '' });
      expect([before.status, after.status]).toEqual([200, 410]);
    } finally {
      await stage.stop();
    }
  });
});

it('an instance that adopts a version late includes its changes for clients that read there meanwhile', async () => {
  const stage = await staged('late');
  vi.useFakeTimers({ toFake: ['Date'], now: moment(70) });
  try {
    const mirror = new Mirror('');
    await mirror.follow(stage.service);
    // It was published an hour ago, but could not be opened until now.
    await stage.serve(4, moment(10));
    await mirror.follow(stage.service, { anchor: since(moment(69)) });
    await mirror.mustBeWhole(stage.service);
  } finally {
    vi.useRealTimers();
    await stage.stop();
  }
});

it('the watermark of a list over several versions is that of its first page, which is safe', async () => {
  const stage = await staged('three', 1);
  try {
    const mirror = new Mirror('');
    const between = async () => {
      await stage.serve(2, moment(10));
      await stage.serve(4, moment(20));
    };
    const response = await mirror.follow(stage.service, { page: 200, between });
    const { watermark } = response.json.meta.sync;
    await mirror.follow(stage.service, { anchor: `updatedSince=${watermark}` });
    await mirror.mustBeWhole(stage.service);
    expect(watermark).toBe(moment(0).toISOString());
  } finally {
    await stage.stop();
  }
});

/** The versions that are based on a served one, and may be published next. */
const BUILT_UPON: ReadonlyMap<number, readonly number[]> = new Map([
  [1, [2]],
  [2, [3, 4]],
]);

/** An event of a chain, and the time until it happens, in seconds. */
const step = fc.record({
  after: fc.constantFrom(0.5, 2, 4, 6, 20, 60, 3600),
  what: fc.constantFrom('publish', 'roll back', 'read', 'publish while reading', 'roll back while reading'),
  which: fc.nat(5),
  /** Seconds by which the clock of the client is fast. */
  fast: fc.constantFrom(0, 0, -3, 3),
});

/** The number of chains; each takes some seconds. */
const CHAINS = cases(1);

it('chains of publications, roll-backs and reads at any moments', { timeout: CHAINS * 60_000 }, async () => {
  let chains = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
    const stage = await staged(`chain-${chains++}`, 1);
    const mirror = new Mirror('');
    const served = new Set([1]);
    let current = 1;
    let now = moment(1).getTime();
    let anchor = '';

    const flip = async (what: string, which: number) => {
      const isRollBack = what.startsWith('roll back');
      const choice = isRollBack ? [...served].filter((one) => one !== current) : (BUILT_UPON.get(current) ?? []);
      const number = choice[which % choice.length];
      if (number === undefined) return;
      // The test could not distinguish two publications in one instant.
      now += 1;
      current = number;
      served.add(number);
      await stage.serve(number, new Date(now), isRollBack ? 'rollback' : 'build');
    };
    const read = async (fast: number, between: () => Promise<void>) => {
      const begun = since(new Date(now + fast * 1000));
      try {
        await mirror.follow(stage.service, { anchor, page: 200, between });
      } catch (error) {
        if (!(error instanceof AnchorRefused)) throw error;
        await mirror.follow(stage.service, { anchor: '', page: 200 });
      }
      anchor = begun;
    };

    try {
      for (const { after, what, which, fast } of steps) {
        now += after * 1000;
        if (what.endsWith('read') || what.endsWith('reading')) {
          await read(fast, () => (what === 'read' ? Promise.resolve() : flip(what, which)));
        } else await flip(what, which);
      }
      await read(0, async () => {});
      await mirror.mustBeWhole(stage.service);
    } finally {
      await stage.stop();
    }
  });
  await fc.assert(property, { numRuns: CHAINS });
});
