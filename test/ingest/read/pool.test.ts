import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Archive, openArchive } from '../../../ingest/archive/archive.ts';
import { ArchiveError } from '../../../ingest/archive/archive-error.ts';
import type { Member } from '../../../ingest/archive/member.ts';
import { readCatalogues } from '../../../ingest/read/catalogues.ts';
import { readMembers } from '../../../ingest/read/pool.ts';
import type { MemberResult } from '../../../ingest/read/read-member.ts';
import { dayNumber } from '../../../ingest/stage/values.ts';
import { itemAt } from '../../../runtime/present.ts';
import { SAMPLE } from '../../support/sample.ts';
import { inFolder } from '../../support/staged.ts';

/** Members are read by threads or, where one is enough, by the caller's: what comes of it is the same. */

const KINDS = ['EinheitenWind', 'EinheitenBiomasse', 'AnlagenKwk'];
const BOUNDS = { first: dayNumber(1880, 1, 1), last: dayNumber(2046, 12, 31) };

let archive: Archive;
let catalogues: Awaited<ReturnType<typeof readCatalogues>>['catalogues'];

beforeAll(async () => {
  archive = await openArchive(SAMPLE, null);
  ({ catalogues } = await readCatalogues(archive));
});

interface Read {
  readonly results: readonly MemberResult[];
  /** The staged files by name. */
  readonly files: ReadonlyMap<string, Buffer>;
}

interface Options {
  readonly path?: string;
  readonly advance?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

const wanted = (): Member[] => archive.members.filter(({ kind }) => kind !== null && KINDS.includes(kind));

function read(threads: number, { path = SAMPLE, advance = () => {}, signal }: Options = {}): Promise<Read> {
  return inFolder(async (stage) => {
    const context = { archive: { path, form: archive.form }, stage, slices: 1, catalogues, bounds: BOUNDS };
    const results = await readMembers(context, wanted(), threads, advance, signal);
    const names = readdirSync(stage, { encoding: 'utf8', recursive: true }).filter((name) => name.includes('.'));
    return { results, files: new Map(names.sort().map((name) => [name, readFileSync(join(stage, name))])) };
  });
}

it('stages the same files with one thread and with two', async () => {
  let bytes = 0;
  const advance = (piece: number) => {
    bytes += piece;
  };
  const [one, two] = [await read(1, { advance }), await read(2)];
  expect(one.results.length).toBeGreaterThanOrEqual(KINDS.length);
  expect(one.results.reduce((sum, { staged }) => sum + staged, 0)).toBeGreaterThan(100);
  expect(one.files.size).toBe(one.results.length);
  expect(bytes).toBe(one.results.reduce((sum, result) => sum + result.bytes, 0));
  expect(two).toEqual(one);
});

describe.each([1, 2])('with threads: %i', (threads) => {
  it('a member that cannot be read ends the work with its error', async () => {
    await expect(read(threads, { path: `${SAMPLE}.gone` })).rejects.toThrow('ENOENT');
  });

  it('a member that is not what its name says is an error of the archive', async () => {
    const other = { ...itemAt(archive.members, 0), name: 'EinheitenWind.xml', kind: 'EinheitenWind' };
    const context = { archive, stage: '', slices: 1, catalogues, bounds: BOUNDS };
    await expect(readMembers(context, [other], threads, () => {})).rejects.toThrow(ArchiveError);
  });

  it('an aborted signal ends the work, before it and in the middle', async () => {
    await expect(read(threads, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    const stop = new AbortController();
    let bytes = 0;
    const advance = (piece: number) => {
      bytes += piece;
      stop.abort(new Error('stopped'));
    };
    await expect(read(threads, { advance, signal: stop.signal })).rejects.toThrow(/stopped|the reading thread ended/);
    expect(bytes).toBeLessThan(wanted().reduce((sum, member) => sum + member.bytes, 0));
  });
});
