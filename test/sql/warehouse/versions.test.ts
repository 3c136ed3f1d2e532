import { describe, expect, test } from 'vitest';
import { type Publication, parseVersionId, surplus } from '../../../sql/warehouse/versions.ts';

/** Which versions are no longer kept. */

const versionOf = (sequence: number) => parseVersionId(`202611${String(sequence).padStart(2, '0')}-000${sequence}`)!;

const publicationsOf = (sequences: readonly number[]): Publication[] =>
  sequences.map((sequence, place) => ({
    version: versionOf(sequence).id,
    sequence,
    exportDay: versionOf(sequence).exportDay,
    publishedAt: `2026-11-${String(place + 1).padStart(2, '0')}T04:00:00Z`,
    cause: place > 0 && sequence < sequences[place - 1]! ? 'rollback' : 'build',
  }));

describe('of three versions that are kept', () => {
  test.each([
    ['the newest stay', [1, 2, 3, 4], [1, 2, 3, 4], [1]],
    [
      'a version that was gone back to outlives those that were withdrawn before it',
      [3, 4, 5, 6, 7],
      [3, 4, 5, 6, 4, 7],
      [3, 5],
    ],
    ['the served one stays, however old it is', [1, 2, 3, 4], [1, 2, 3, 4, 1], [2]],
    ['one that was never served, and may still be, displaces none', [1, 2, 3, 4], [1, 2, 3], []],
    ['of those that were never served the newest stay', [1, 2, 3, 4, 5, 6, 7], [1, 2, 3], [4]],
    ['one that was never served goes when a later one is', [1, 2, 3, 4], [1, 3, 4], [2]],
  ])('%s', (_, built, published, gone) => {
    const found = surplus(built.map(versionOf), publicationsOf(published), 3);
    expect(found.map(({ sequence }) => sequence)).toEqual(gone);
  });
});
