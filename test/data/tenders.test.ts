import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AwardBook, drawAwards } from '../../data/generate/tenders/awards.ts';
import { ROUNDS } from '../../data/generate/tenders/calendar.ts';
import { BIDDER_MARK, INVENTED, listOf } from '../../data/generate/tenders/lists.ts';
import { FORMS } from '../../data/generate/tenders/locations.ts';
import { awardNumber } from '../../data/generate/tenders/spellings.ts';
import { figuresOf } from '../../data/generate/tenders/statistics.ts';
import { date } from '../../data/generate/world/text.ts';
import { World } from '../../data/generate/world/world.ts';
import { awardNumbers } from '../../sql/tenders/award-number.ts';
import { runGenerator } from '../support/generator.ts';
import { type MemberText, membersOf, type Row, rowsOf, SAMPLE, temporaryFolder } from './export.ts';

const DAY = date(2026, 11);
const KEY = { seed: 1, units: 19_400, firstDay: DAY, day: DAY };
let book: AwardBook;
let sample: MemberText[];

beforeAll(async () => {
  book = drawAwards(new World(KEY));
  sample = await membersOf(SAMPLE);
});

const all = () => book.rounds.flatMap(({ awards }) => awards);
const numberOf = ({ round, sequence }: ReturnType<typeof all>[number]): string =>
  awardNumbers(awardNumber(round, sequence)).numbers[0]!.text;

describe('awards of a world', () => {
  it('are as many as were published, with numbers that no two bids of a round share', () => {
    for (const { round, bids, awards } of book.rounds) {
      if (round.figures.awards !== undefined) expect(awards.length, round.code).toBe(round.figures.awards);
      const numbers = awards.map(({ sequence }) => sequence);
      expect(new Set(numbers).size, round.code).toBe(numbers.length);
      expect(Math.max(...numbers), round.code).toBeLessThanOrEqual(bids);
    }
  });

  it('add up to the published volume of their round', () => {
    const known = book.rounds.filter(({ round }) => round.figures.awarded !== undefined);
    expect(known.length).toBeGreaterThan(80);
    for (const { round, awards } of known)
      expect(
        awards.reduce((sum, { kilowatts }) => sum + kilowatts, 0),
        round.code,
      ).toBe(round.figures.awarded);
  });

  it('are known only once their list is published', () => {
    expect(book.rounds.length).toBe(ROUNDS.filter(({ published }) => published <= DAY).length);
    expect(book.rounds.length).toBeLessThan(ROUNDS.length);
  });

  it('stay what they are while the world grows', () => {
    const later = drawAwards(new World({ ...KEY, day: DAY + 200 }));
    const before = new Map(all().flatMap((award) => award.plants.map(({ key }) => [key, numberOf(award)])));
    const after = new Map(
      later.rounds.flatMap(({ awards }) =>
        awards.flatMap((award) => award.plants.map(({ key }) => [key, numberOf(award)])),
      ),
    );
    const same = [...before].filter(([key, number]) => after.get(key) === number);
    expect(same.length / before.size).toBeGreaterThan(0.9);
  });

  it('are linked in every way: by the register, by the list, by parcels, and not at all', () => {
    const links = all().flatMap(({ plants }) => plants.map(({ link }) => link));
    expect(new Set(links)).toEqual(new Set(['register', 'list', 'parcel', 'none']));
    expect(all().filter(({ plants }) => plants.length === 0).length).toBeGreaterThan(1000);
    expect(all().some(({ plants }) => plants.length > 1)).toBe(true);
    expect(all().some(({ plants }) => plants.some(({ units }) => units.length > 1))).toBe(true);
    expect(all().some(({ plants }) => plants.some(({ planned, link }) => planned && link === 'list'))).toBe(true);
  });
});

describe('the register of the sample', () => {
  const plants = (): Row[] =>
    ['Wind', 'Solar', 'Biomasse', 'Speicher'].flatMap((kind) => rowsOf(sample, `AnlagenEeg${kind}`));

  it('has the number of every award that its plant knows, in some spelling', () => {
    const known = new Map<string, Set<string>>();
    for (const award of all())
      for (const { plant, link } of award.plants)
        if (link === 'register') known.set(plant, (known.get(plant) ?? new Set()).add(numberOf(award)));
    const rows = new Map(plants().map((row) => [row.EegMaStRNummer!, row]));
    const inFile = [...known].filter(([plant]) => rows.has(plant));
    expect(inFile.length).toBeGreaterThan(50);
    for (const [plant, numbers] of inFile) {
      const { Zuschlagsnummer = '', AusschreibungZuschlag } = rows.get(plant)!;
      expect(new Set(awardNumbers(Zuschlagsnummer).numbers.map(({ text }) => text)), plant).toEqual(numbers);
      expect(AusschreibungZuschlag).toBe('1');
    }
  });

  it('has number fields that name no round, or are no number', () => {
    const texts = plants().flatMap(({ Zuschlagsnummer }) => Zuschlagsnummer ?? []);
    const awarded = new Set(all().map(numberOf));
    const strange = texts.filter((text) => !awardNumbers(text).numbers.some((number) => awarded.has(number.text)));
    expect(strange.length).toBeGreaterThan(0);
    expect(strange.length).toBeLessThan(texts.length / 4);
  });

  it('names the awarded parcels in its own spellings', () => {
    const fields = rowsOf(sample, 'EinheitenSolar').flatMap((row) => row.FlurFlurstuecknummern ?? []);
    for (const spelling of [/Flurst(ü|ue)cke /, /^Flur\d+:/, /^\d+: /, /Flurn(r|ummer)/])
      expect(
        fields.some((text) => spelling.test(text)),
        String(spelling),
      ).toBe(true);
  });

  it('has every input that decides about support values', () => {
    const wind = rowsOf(sample, 'AnlagenEegWind');
    const ratio = (row: Row): number => Number(row.VerhaeltnisErtragsschaetzungReferenzertrag);
    expect(wind.some((row) => row.VerhaeltnisErtragsschaetzungReferenzertrag_nv === '1')).toBe(true);
    expect(wind.some((row) => ratio(row) > 20)).toBe(true);
    const solar = rowsOf(sample, 'AnlagenEegSolar');
    expect(solar.some((row) => row.EegInbetriebnahmedatum === undefined)).toBe(true);
    for (const flag of ['0', '1']) {
      expect(solar.some((row) => row.InanspruchnahmeZahlungNachEeg === flag)).toBe(true);
      expect(solar.some((row) => row.MieterstromZugeordnet === flag)).toBe(true);
    }
  });
});

describe('award lists', () => {
  it('come in all layouts, file forms and spellings of a location', () => {
    const lists = book.rounds.map(listOf);
    expect(new Set(lists.map(({ layout }) => layout)).size).toBe(10);
    expect(new Set(lists.map(({ form }) => JSON.stringify(form))).size).toBe(5);
    expect(new Set(lists.flatMap(({ rows }) => rows.map(({ location }) => location.form)))).toEqual(new Set(FORMS));
  });

  it('name only bidders that are plainly invented, and say so above the table', () => {
    for (const { sheet } of book.rounds.slice(0, 40).map(listOf)) {
      expect(sheet.rows[0]![0]).toContain(INVENTED);
      const header = sheet.rows.findIndex((row) => row.some((cell) => /^(Name|Bieter)/.test(String(cell))));
      const bidders = sheet.rows.slice(header + 1).map(([first]) => first);
      const named = bidders.filter((cell) => typeof cell === 'string' && !cell.startsWith('*'));
      expect(named.length).toBeGreaterThan(0);
      for (const name of named) expect(name).toContain(BIDDER_MARK);
    }
  });

  it('have figures that contradict no published one', () => {
    for (const each of book.rounds) {
      const { lowest, mean, highest, awarded, awards } = figuresOf(each);
      expect(awards).toBe(each.awards.length);
      expect(awarded).toBeGreaterThan(0);
      if (each.round.technology !== 'WIND_SEE') expect(lowest, each.round.code).toBeLessThanOrEqual(highest);
      expect(mean).toBe(each.round.figures.mean ?? mean);
    }
  });
});

describe('the command line', () => {
  it('writes lists, statistics and broken files, the same bytes every time', async () => {
    const folder = await temporaryFolder();
    const words = ['generate', '--units', '600', '--workers', '1', '--level', '1', '--broken-tenders'];
    const written = async (name: string): Promise<[string, Buffer][]> => {
      const path = join(folder, name);
      const run = await runGenerator([...words, '--out', `${path}.zip`, '--tenders', path]);
      expect(run).toMatchObject({ code: 0, err: '' });
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return Promise.all(
        files.map(async ({ name: file, parentPath }) => [file, await readFile(join(parentPath, file))] as const),
      ).then((pairs) =>
        pairs.map(([file, bytes]): [string, Buffer] => [file, bytes]).sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    };
    const [first, second] = [await written('one'), await written('two')];
    expect(first.map(([name]) => name)).toEqual(second.map(([name]) => name));
    for (const [i, [name, bytes]] of first.entries()) expect(bytes.equals(second[i]![1]), name).toBe(true);
    expect(first.filter(([name]) => name.startsWith('refused-')).length).toBeGreaterThan(5);
    expect(first.map(([name]) => name)).toContain('Erfundene-Beispieldaten_Statistik_Onshore.xlsx');
    await rm(folder, { recursive: true });
  });

  it('refuses rounds that never were, and tenders without a folder', async () => {
    const folder = await temporaryFolder();
    await mkdir(folder, { recursive: true });
    const base = ['generate', '--units', '600', '--out', join(folder, 'a.zip')];
    expect(await runGenerator([...base, '--tenders', folder, '--tender-rounds', 'SOL19-8'])).toMatchObject({
      code: 2,
      err: 'error: there is no round SOL19-8\n',
    });
    expect(await runGenerator([...base, '--broken-tenders'])).toMatchObject({ code: 2 });
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
