import { readdirSync, writeFileSync } from 'node:fs';
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
import { inFolder, query } from '../../support/staged.ts';

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
  /** The staged rows by table, in the order of members and records. */
  readonly rows: Readonly<Record<string, unknown>>;
  readonly files: number;
}

interface Options {
  readonly members?: readonly Member[];
  readonly path?: string;
  readonly advance?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

const wanted = (): Member[] => archive.members.filter(({ kind }) => kind !== null && KINDS.includes(kind));

function read(threads: number, options: Options = {}): Promise<Read> {
  const { members = wanted(), path = SAMPLE, advance = () => {}, signal } = options;
  return inFolder(async (stage) => {
    const context = { archive: { path, form: archive.form }, stage, slices: 1, catalogues, bounds: BOUNDS };
    const results = await readMembers(context, members, threads, advance, signal);
    const rows: Record<string, unknown> = {};
    for (const table of readdirSync(stage)) {
      rows[table] = await query(`SELECT * FROM read_parquet('${stage}/${table}/*/*') ORDER BY _datei, _zeile`);
    }
    return { results, rows, files: stagedFilesIn(stage).length };
  });
}

const stagedFilesIn = (stage: string): string[] =>
  readdirSync(stage, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.parquet'));

it('stages the same rows with one thread and with two, in whatever order members are read', async () => {
  let bytes = 0;
  const advance = (piece: number) => {
    bytes += piece;
  };
  const [one, two] = [await read(1, { advance }), await read(2)];
  expect(one.results.length).toBeGreaterThanOrEqual(KINDS.length);
  expect(one.results.reduce((sum, { staged }) => sum + staged, 0)).toBeGreaterThan(100);
  expect(Object.keys(one.rows)).toEqual(['einheit', 'kwk']);
  expect(bytes).toBe(one.results.reduce((sum, result) => sum + result.bytes, 0));
  expect(two).toEqual({ ...one, files: expect.any(Number) });
  expect(await read(1, { members: wanted().toReversed() })).toEqual(one);
});

it('each thread stages one file of a table, however many members it reads', async () => {
  const copies = wanted().flatMap((member) => [member, { ...member, index: member.index + 1000 }]);
  expect((await read(1, { members: copies })).files).toBe(2);
  expect((await read(2, { members: copies })).files).toBeLessThanOrEqual(4);
});

it('what was staged before an error cannot be read', async () => {
  await inFolder(async (stage) => {
    const wind = wanted().find(({ kind }) => kind === 'EinheitenWind');
    const broken = { ...wind!, name: 'AnlagenKwk.xml', kind: 'AnlagenKwk', bytes: 1 };
    const context = { archive, stage, slices: 1, catalogues, bounds: BOUNDS };
    await expect(readMembers(context, [...wanted(), broken], 1, () => {})).rejects.toThrow(ArchiveError);
    expect(stagedFilesIn(stage)).not.toEqual([]);
    for (const name of stagedFilesIn(stage)) {
      await expect(query(`SELECT * FROM read_parquet('${join(stage, name)}')`)).rejects.toThrow(
        /no magic bytes|too small to be a Parquet file/i,
      );
    }
  });
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

  it('staged files that cannot be written are an error', async () => {
    await inFolder(async (folder) => {
      const stage = join(folder, 'occupied');
      writeFileSync(stage, '');
      const context = { archive, stage, slices: 1, catalogues, bounds: BOUNDS };
      await expect(readMembers(context, wanted(), threads, () => {})).rejects.toThrow('ENOTDIR');
    });
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
