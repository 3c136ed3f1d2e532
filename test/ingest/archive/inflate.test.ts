import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inflate } from '../../../ingest/archive/inflate.ts';
import { cases } from '../../support/cases.ts';

/** Inflating is ours; zlib says what is right. */

async function* inParts(packed: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < packed.length; at += length) yield packed.subarray(at, at + length);
}

/** The pieces in which a stream is unpacked. */
async function unpacked(packed: Uint8Array, partLength = 65_536): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of inflate(inParts(packed, partLength))) pieces.push(Buffer.from(piece));
  return pieces;
}

/** The result of both for a stream that may be damaged: its bytes, or null when it is refused. */
const byUs = (packed: Uint8Array): Promise<Buffer | null> =>
  unpacked(packed, 100).then(Buffer.concat, (error: Error) => {
    expect(error.message).toBe('its packed bytes are damaged or cut off');
    return null;
  });
function byZlib(packed: Uint8Array): Buffer | null {
  try {
    return inflateRawSync(packed);
  } catch {
    return null;
  }
}

const same = (ours: Buffer | null, theirs: Buffer | null): boolean =>
  ours === null || theirs === null ? ours === theirs : ours.equals(theirs);

/** Bytes with repetitions near and far, of few or many different values. */
const contentUpTo = (longest: number) =>
  fc
    .tuple(fc.integer(), fc.nat(longest), fc.integer({ min: 1, max: 256 }), fc.nat(99))
    .map(([seed, length, values, repeated]) => {
      let state = seed;
      const below = (limit: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * limit);
      };
      const bytes = Buffer.alloc(length);
      for (let at = 0; at < length; ) {
        const isRepeated = at > 0 && below(100) < repeated;
        const run = Math.min(length - at, isRepeated ? 3 + below(300) : 1);
        // Small values are frequent, so that the codes have lengths of all kinds.
        const distance = 1 + below(Math.min(at, below(4) === 0 ? 32_768 : 40));
        for (const end = at + run; at < end; at++) {
          bytes[at] = isRepeated ? bytes[at - distance]! : Math.floor(values * (below(1000) / 1000) ** 3);
        }
      }
      return bytes;
    });

const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.integer({ min: 0, max: 4 }),
  memLevel: fc.integer({ min: 1, max: 9 }),
});

describe('a deflate stream', () => {
  it('is unpacked whatever is in it, however it was packed, in parts of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        contentUpTo(400_000),
        options,
        fc.integer({ min: 1, max: 200_000 }),
        async (bytes, how, partLength) => {
          const pieces = await unpacked(deflateRawSync(bytes, how), partLength);
          expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: cases(60) },
    );
  });

  it('is unpacked where stored bytes end with a piece, and the next block has not come yet', async () => {
    for (const length of [262_143, 262_144, 262_145, 300_000]) {
      const bytes = Buffer.alloc(length, 'stored');
      const packed = deflateRawSync(bytes, { level: 0 });
      expect(Buffer.concat(await unpacked(packed, 1_000)).equals(bytes), `${length} bytes`).toBe(true);
    }
  });

  it('comes in pieces that cut no code unit of two bytes, except for the last one', async () => {
    const pieces = await unpacked(deflateRawSync(Buffer.alloc(2_000_001, 'abc')));
    expect(pieces.length).toBeGreaterThan(4);
    for (const piece of pieces.slice(0, -1)) expect(piece.length % 2).toBe(0);
    for (const piece of pieces) expect(piece.length).toBeLessThan(300_000);
  });

  it('ends where it ends: what follows is ignored', async () => {
    const packed = Buffer.concat([deflateRawSync('hallo'), Buffer.alloc(100_000, 7)]);
    expect(String(Buffer.concat(await unpacked(packed, 10)))).toBe('hallo');
  });

  it('can be given up at any piece, and others are read beside it', async () => {
    const large = deflateRawSync(Buffer.alloc(1_000_000, 'xy'));
    for await (const piece of inflate(inParts(large, 100))) {
      expect(piece.length).toBeGreaterThan(0);
      expect(String(Buffer.concat(await unpacked(deflateRawSync('hallo'))))).toBe('hallo');
      break;
    }
    expect(Buffer.concat(await unpacked(large))).toHaveLength(1_000_000);
  });
});

describe('a damaged stream', () => {
  it('is refused where zlib refuses it, and otherwise read alike', async () => {
    await fc.assert(
      fc.asyncProperty(
        contentUpTo(3_000),
        options,
        fc.array(fc.tuple(fc.nat(), fc.nat(7)), { maxLength: 3 }),
        async (bytes, how, flips) => {
          const packed = Buffer.from(deflateRawSync(bytes, how));
          // Most of what can be wrong is wrong at the beginning, where the codes are.
          for (const [at, bit] of flips) packed[at % Math.min(packed.length, 60)]! ^= 1 << bit;
          expect(same(await byUs(packed), byZlib(packed))).toBe(true);
        },
      ),
      { numRuns: cases(2_000) },
    );
  });

  it('is refused when it is arbitrary bytes, unless zlib reads them too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect(same(await byUs(bytes), byZlib(bytes))).toBe(true);
      }),
      { numRuns: cases(2_000) },
    );
  });

  it('is refused wherever it is cut', async () => {
    const packed = deflateRawSync('The quick brown fox jumps over the lazy dog. The lazy dog sleeps on.');
    for (let length = 0; length < packed.length; length++) expect(await byUs(packed.subarray(0, length))).toBeNull();
  });
});
