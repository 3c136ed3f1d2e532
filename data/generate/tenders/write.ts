/** Writes the award lists and statistics of a world into a folder. */

import { mkdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INVENTED_FILE } from '../../../runtime/invented.ts';
import type { AwardBook, RoundAwards } from './awards.ts';
import { brokenFiles } from './broken.ts';
import { type AwardList, listOf } from './lists.ts';
import { csvBytes, type Sheet, writeWorkbook } from './sheets.ts';
import { overviewOf, statisticsOf } from './statistics.ts';

export interface TenderOrder {
  readonly folder: string;
  /** Only the lists of these rounds (`WIN19-5`), and no statistics; all when undefined. */
  readonly rounds?: readonly string[] | undefined;
  /** Also writes files that a reader must refuse or report, into a folder `broken`. */
  readonly broken: boolean;
}

/** Day that broken workbooks are stamped with. */
const WRITTEN = 20_000;

/** Names of the statistics workbooks and overview pages by technology. */
const STATISTICS = [
  ['WIND', `${INVENTED_FILE}Statistik_Onshore.xlsx`],
  ['SOLAR_FREIFLAECHE', `${INVENTED_FILE}statistik_solar1.xlsx`],
] as const;
const OVERVIEWS = [
  ['BIOMASSE', `${INVENTED_FILE}Uebersicht_Biomasse.csv`],
  ['INNOVATION', `${INVENTED_FILE}Uebersicht_Innovation.xlsx`],
  ['GEMEINSAM', `${INVENTED_FILE}Uebersicht_Gemeinsame.csv`],
  ['SOLAR_DACH', `${INVENTED_FILE}Uebersicht_Solar2.xlsx`],
] as const;

/** Writes one list. */
async function writeList(folder: string, { form, file, sheet, round }: AwardList): Promise<void> {
  if (form.extension === 'csv') await writeFile(join(folder, file), csvBytes(sheet, form.encoding));
  else await writeWorkbook(join(folder, file), [sheet], form.strings, round.published);
}

/** @returns the number of files */
export async function writeTenders(
  { rounds }: AwardBook,
  { folder, rounds: codes, broken }: TenderOrder,
): Promise<number> {
  await mkdir(folder, { recursive: true });
  const wanted = rounds.filter(({ round }) => codes?.includes(round.code) ?? true);
  for (const each of wanted) await writeList(folder, listOf(each));
  const statistics = codes === undefined ? await writeStatistics(folder, rounds) : 0;
  return wanted.length + statistics + (broken ? await writeBroken(join(folder, 'broken')) : 0);
}

async function writeStatistics(folder: string, rounds: readonly RoundAwards[]): Promise<number> {
  const of = (technology: string): RoundAwards[] =>
    rounds.filter(({ round }) => round.technology === technology && round.procedure === null);
  const newest = Math.max(...rounds.map(({ round }) => round.published));
  for (const [technology, file] of STATISTICS)
    await writeWorkbook(join(folder, file), statisticsOf(of(technology)), 'shared', newest);
  for (const [technology, file] of OVERVIEWS) {
    const sheet: Sheet = overviewOf(technology, of(technology));
    if (file.endsWith('.csv')) await writeFile(join(folder, file), csvBytes(sheet, 'utf-8 with mark'));
    else await writeWorkbook(join(folder, file), [sheet], 'inline', newest);
  }
  return STATISTICS.length + OVERVIEWS.length;
}

async function writeBroken(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const files = brokenFiles();
  for (const [name, content] of files) {
    const path = join(folder, name);
    if (content instanceof Uint8Array) await writeFile(path, content);
    else if ('half' in content) {
      await writeWorkbook(path, [content.half], 'shared', WRITTEN);
      await truncate(path, Math.floor((await stat(path)).size / 2));
    } else if (name.endsWith('.csv')) await writeFile(path, csvBytes(content, 'utf-8'));
    else await writeWorkbook(path, [content], 'shared', WRITTEN);
  }
  return files.length;
}
