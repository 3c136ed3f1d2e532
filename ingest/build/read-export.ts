import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import type { Archive } from '../archive/archive.ts';
import { type ReadCatalogues, readCatalogues } from '../read/catalogues.ts';
import { readMembers } from '../read/pool.ts';
import type { MemberResult } from '../read/read-member.ts';
import { sliceCount } from '../stage/slices.ts';
import { tableOf } from '../stage/tables.ts';
import { dayNumber } from '../stage/values.ts';
import type { BuildOptions } from './options.ts';

const FIRST_PLAUSIBLE_DAY = dayNumber(1880, 1, 1);

/** Planned days further ahead than this are typing errors (format reference, section 6). */
const PLAUSIBLE_YEARS_AHEAD = 20;

/** An export whose records are staged. */
export interface ReadExport {
  readonly archive: Archive;
  readonly catalogues: ReadCatalogues;
  readonly results: readonly MemberResult[];
  /** Folder of the staged files. */
  readonly stage: string;
  readonly slices: number;
}

/** Reads the catalogues of an export, then stages its other files in the folder. */
export async function readExport(options: BuildOptions, archive: Archive, folder: string): Promise<ReadExport> {
  const stage = join(folder, 'stage');
  mkdirSync(stage, { recursive: true });
  const catalogues = await readCatalogues(archive);
  const known = new Set(catalogues.members.map(({ member }) => member));
  const rest = archive.members.filter(({ index, kind }) => kind !== null && !known.has(index));
  const bytes = rest.reduce((sum, member) => sum + member.bytes, 0);
  options.progress.stage(`reading ${counted(rest.length, 'file')}`, bytes, 'MB');
  const [year, month, day] = archive.day.split('-').map(Number) as [number, number, number];
  const bounds = {
    first: FIRST_PLAUSIBLE_DAY,
    last: dayNumber(year + PLAUSIBLE_YEARS_AHEAD, month, Math.min(day, 28)),
  };
  const sliced = rest.filter(({ kind }) => kind !== null && tableOf(kind)?.sliced);
  const slices = sliceCount(sliced.reduce((sum, member) => sum + member.bytes, 0));
  const context = {
    archive: { path: archive.path, form: archive.form },
    stage,
    slices,
    catalogues: catalogues.catalogues,
    bounds,
  };
  const advance = (piece: number) => options.progress.advance(piece);
  const results = await readMembers(context, rest, options.threads, advance, options.signal);
  return { archive, catalogues, results, stage, slices };
}
