import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AwardBook, drawAwards } from '../../../data/generate/tenders/awards.ts';
import { BIDDER_MARK, listOf } from '../../../data/generate/tenders/lists.ts';
import type { Plot } from '../../../data/generate/tenders/plots.ts';
import { awardNumber } from '../../../data/generate/tenders/spellings.ts';
import { figuresOf } from '../../../data/generate/tenders/statistics.ts';
import { writeTenders } from '../../../data/generate/tenders/write.ts';
import { date, dayText } from '../../../data/generate/world/text.ts';
import { World } from '../../../data/generate/world/world.ts';
import { type FileOutcome, filesOf, loadTenders } from '../../../ingest/tenders/load.ts';
import { loadedTenders } from '../../../ingest/tenders/loaded.ts';
import type { ListedAward } from '../../../ingest/tenders/round.ts';
import { failedLoads, storedRounds } from '../../../ingest/tenders/store.ts';
import { awardNumbers } from '../../../sql/tenders/award-number.ts';
import { tenderId } from '../../../sql/tenders/technologies.ts';
import { drawn } from '../../support/cases.ts';

/** Every layout that the generator writes comes back as exactly the awards that it wrote. */

const DAY = date(2026, 11);
let folder: string;
let warehouse: string;
let book: AwardBook;
let outcomes: FileOutcome[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lists-'));
  warehouse = join(folder, 'warehouse');
  book = drawAwards(new World({ seed: 3, units: 60_000, firstDay: DAY, day: DAY }));
  await writeTenders(book, { folder: join(folder, 'lists'), broken: false });
  outcomes = await load(warehouse, join(folder, 'lists'));
  return () => rmSync(folder, { recursive: true });
});

const load = (into: string, ...paths: string[]): Promise<FileOutcome[]> =>
  loadTenders(into, filesOf(paths), { dryRun: false, day: dayText(DAY) });

type Round = AwardBook['rounds'][number]['round'];
const idOf = ({ technology, procedure, day }: Round): number =>
  tenderId({ technologie: technology, verfahren: procedure, datum: dayText(day) });

/** Parcels as the interface writes them. */
const parcels = (plots: readonly Plot[]): string[] =>
  plots.flatMap(({ district, field, parcels: numbers }) =>
    numbers.map((number) => `${district.replaceAll('/', '-')}/${field ?? ''}/${number}`),
  );

describe('lists of every layout', () => {
  it('are all loaded', () => {
    expect(outcomes.filter(({ outcome }) => outcome !== 'loaded')).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(170);
  });

  it('give the awards that were written: number, places, parcels, register numbers, volume', () => {
    const { awards } = loadedTenders(warehouse, dayText(DAY));
    const byId = new Map(awards.map((award) => [award.id, award]));
    expect(awards.length).toBe(book.rounds.reduce((sum, round) => sum + round.awards.length, 0));
    for (const list of book.rounds.map(listOf)) {
      for (const { award, location, units, kilowatts } of list.rows) {
        const found = byId.get(idOf(award.round) * 100_000 + award.sequence);
        const wanted = {
          zuschlagsnummer: awardNumbers(awardNumber(award.round, award.sequence)).numbers[0]!.text,
          gebotsmengeKw: kilowatts ?? null,
          bundesland: location.state ?? null,
          landkreis: location.district ?? null,
          plz: location.postcode ?? null,
          gemeinde: location.municipality ?? null,
          flurstueck: parcels(location.plots).join('; ') || null,
          flurstueckRoh: location.text.trim(),
          mastrNummern: units,
          foerderNummern: location.plants,
        };
        const got =
          found && Object.fromEntries(Object.keys(wanted).map((key) => [key, found[key as keyof ListedAward]]));
        expect(got, `${list.file}: ${location.text}`).toEqual(wanted);
      }
    }
  });

  it('keep the counts of their round', () => {
    const { rounds, awards } = loadedTenders(warehouse, dayText(DAY));
    const counts = Map.groupBy(awards, ({ gebotstermin }) => gebotstermin);
    for (const { round, awards: written } of book.rounds) {
      const found = rounds.find(({ id }) => id === idOf(round))!;
      expect(found, round.code).toMatchObject({ status: 'IMPORTED', liste: true, zuschlaege: written.length });
      expect(counts.get(found.id)!.length).toBe(written.length);
    }
  });

  it('change nothing when they are loaded again', async () => {
    const lists = readdirSync(join(folder, 'lists')).map((name) => join(folder, 'lists', name));
    const again = await load(warehouse, ...drawn(lists, Math.ceil(lists.length / 4)));
    expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));
  });
});

describe('statistics workbooks and overviews', () => {
  it('give volumes and means, in kW and ct/kWh, whatever their labels say', () => {
    const { rounds } = loadedTenders(warehouse, dayText(DAY));
    const told = ['WIND', 'SOLAR_FREIFLAECHE', 'BIOMASSE', 'INNOVATION', 'GEMEINSAM', 'SOLAR_DACH'];
    const checked = book.rounds.filter(({ round }) => told.includes(round.technology) && round.procedure === null);
    for (const each of checked) {
      const { tendered, bid, awarded, mean } = figuresOf(each);
      expect(
        rounds.find(({ id }) => id === idOf(each.round)),
        each.round.code,
      ).toMatchObject({
        volumenAusgeschriebenKw: tendered,
        volumenBeworbenKw: bid,
        volumenBezuschlagtKw: awarded,
        // Two values in one cell are none.
        zuschlagswertDurchschnittCtKwh: each.round.code === 'INN20-1' ? (each.round.figures.mean ?? null) : mean,
      });
    }
  });
});

describe('broken files', () => {
  it('are refused with their reason, and nothing of them is loaded', async () => {
    const place = join(folder, 'broken');
    await writeTenders({ ...book, rounds: [] }, { folder: place, rounds: [], broken: true });
    const into = join(folder, 'other');
    const refused = readdirSync(join(place, 'broken')).filter((name) => name.startsWith('refused-'));
    const results = await load(into, ...refused.map((name) => join(place, 'broken', name)));
    expect(results.map(({ outcome }) => outcome)).toEqual(refused.map(() => 'refused'));
    const reasons = Object.fromEntries(results.map(({ file, reason }) => [file, reason]));
    expect(reasons['refused-no-award-number.csv']).toContain('no column of award numbers');
    expect(reasons['refused-no-location.xlsx']).toContain('no column of the location');
    expect(reasons['refused-html-page.xlsx']).toContain('__blob=publicationFile');
    expect(reasons['refused-truncated.xlsx']).toContain('cut off or damaged');
    expect(reasons['refused-no-such-round.csv']).toContain('SOL19-8');
    expect(storedRounds(into)).toEqual([]);
    expect(failedLoads(into).length).toBe(refused.length);
  });

  it('load with a finding where only something in them is odd', async () => {
    for (const [file, finding] of [
      ['loads-duplicate-numbers.csv', 'zuschlagsnummer_doppelt'],
      ['loads-look-alikes.csv', 'zuschlagsnummer_berichtigt'],
      ['loads-unknown-columns.xlsx', 'ausschreibung_spalte_unbekannt'],
    ] as const) {
      const [outcome] = await load(join(folder, file), join(folder, 'broken', 'broken', file));
      expect(outcome, file).toMatchObject({ outcome: 'loaded', awards: 3 });
      expect(outcome!.findings.map(({ befund }) => befund)).toContain(finding);
    }
  });
});

describe('bidders', () => {
  it('are nowhere: not in what is stored, found, refused or shown', () => {
    const lists = readdirSync(join(folder, 'lists')).filter((name) => name.endsWith('.csv'));
    expect(lists.some((name) => readFileSync(join(folder, 'lists', name), 'latin1').includes(BIDDER_MARK))).toBe(true);
    const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(kept.length).toBeGreaterThan(100);
    for (const text of [...kept, JSON.stringify(outcomes)]) expect(text.includes(BIDDER_MARK)).toBe(false);
  });
});
