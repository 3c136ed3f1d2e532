import { cpSync, rmSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bandsOf, meanOf } from '../../../ingest/explain/bands.ts';
import { meaningOf } from '../../../ingest/explain/explain.ts';
import { rateLines } from '../../../ingest/explain/rates.ts';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishSample, warehouseFolder, withTables } from '../../support/built.ts';
import { ingestHere } from '../../support/command.ts';

/** `ingest -- explain` tells how the support values of a unit came about; what it prints is what the version keeps. */

const warehouse = warehouseFolder();
beforeAll(async () => {
  await publishSample(warehouse.path);
  await makeWithoutRate(`lageId = 852 AND year(inbetriebnahme) = 2012`, { kw: 14_614, law: 'EEG 2012' });
  await makeWithoutRate(`lageId = 853 AND einspeisungsartId = 688 AND year(inbetriebnahme) = 2023`, {
    kw: 2152,
    law: 'EEG 2023',
  });
});
afterAll(() => warehouse.remove());

/** The sample has no solar plant that is too large for each rate without an award: makes one of a smaller plant. */
async function makeWithoutRate(condition: string, { kw, law }: { kw: number; law: string }): Promise<void> {
  const { version } = currentPublication(warehouse.path)!;
  const instance = await DuckDBInstance.create(versionFile(warehouse.path, version));
  const connection = await instance.connect();
  await connection.run(`
    UPDATE foerderung SET kw = ${kw}, davorKw = 0, buergerenergie = ${kw < 10_000}, ableitbarkeit = 'nicht_ableitbar', gesetz = '${law}', art = NULL,
      verguetung = NULL, anzulegenderWert = NULL, gruende = ['keine_rate'], raten = []
    WHERE eeg = (SELECT min(eeg) FROM foerderung
      WHERE einheitTyp = 'solar' AND statusId = 35 AND hatZuschlag IS NOT true AND zahlung AND eigenesDatum AND ${condition})`);
  connection.closeSync();
  instance.closeSync();
}

const explain = (...words: string[]) => ingestHere(warehouse.path, ['explain', ...words]);

/** The smallest number of a unit of the sample that a condition holds for. */
const unitWhere = (condition: string): Promise<string> =>
  withTables(warehouse.path, async (tables) => {
    const [row] = await tables<{ number: string }>(
      `SELECT min(mastrNummer) AS number FROM units LEFT JOIN foerderung ON foerderung.einheit = units.nummer WHERE ${condition}`,
    );
    return row!.number;
  });

describe('a unit with values', () => {
  it('has its plant, the bands with their lines of the rate table, and the result with its reasons', async () => {
    const number = await unitWhere(
      `len(raten) = 2 AND gruende = ['gebaeude_aussenbereich'] AND verguetung IS NOT NULL`,
    );
    const { code, out } = await explain(number);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^SEE\d{12}: solar, In Betrieb, EEG plant EEG\d{12} \(version 20261101-0001, export of 2026-11-01\)/,
    );
    expect(out).toMatch(/^ {2}Commissioning: \d{4}-\d\d-\d\d, the EEG plant's own day$/m);
    expect(out).toMatch(/^ {2}Capacity: [\d.]+ kW$/m);
    expect(
      out.match(/ in the band .*eeg-rates\.csv line \d+, \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d, EEG 20\d\d/g),
    ).toHaveLength(2);
    expect(out).toMatch(/^ {2}Mean tariff: \(10 × [\d.]+ \+ [\d.]+ × [\d.]+\) \/ [\d.]+ = [\d.]+ ct\/kWh$/m);
    expect(out).toMatch(/^ {2}Ends on \d{4}-12-31: 20 calendar years after that of the begin$/m);
    expect(out).toMatch(/^ {2}geschaetzt on 2026-11-01, because:\n {4}gebaeude_aussenbereich: A building /m);
  });

  it('comes as JSON, with everything that was kept', async () => {
    const number = await unitWhere(`ableitbarkeit = 'exakt' AND units.einheitTyp = 'solar' AND len(raten) > 1`);
    const { code, out } = await explain(number, '--json');
    expect(code).toBe(0);
    const told = JSON.parse(out);
    expect(told).toMatchObject({
      version: '20261101-0001',
      exportDay: '2026-11-01',
      unit: { mastrNummer: number },
      plant: { ableitbarkeit: 'exakt', statusId: 35 },
      units: [number],
      reasons: [],
    });
    expect(told.rates.map(({ line }: { line: number }) => line)).toEqual(told.plant.raten);
    expect(told.sections.map(({ title }: { title: string }) => title)).toEqual(['Plant', 'Rate', 'Support', 'Result']);
  });

  it('names the units that share its plant', async () => {
    const number = await unitWhere(
      'eegMastrNummer IN (SELECT eegMastrNummer FROM units GROUP BY ALL HAVING count(*) > 2)',
    );
    expect((await explain(number)).out).toMatch(/^ {2}\d units share it; SEE\d{12} stands for all of them$/m);
  });

  it('two phases are told with the day of the change', async () => {
    const number = await unitWhere('phasenwechsel IS NOT NULL');
    expect((await explain(number)).out).toMatch(/^ {2}The higher initial rate ends on \d{4}-\d\d-\d\d, the base rate/m);
  });
});

describe('what is not in the rate table', () => {
  it('the number of an award, its link and an assumed day', async () => {
    const { out } = await explain(await unitWhere(`list_contains(gruende, 'bekanntgabe_angenommen')`));
    expect(out).toMatch(
      /^ {2}[A-Z]{3}\d\d-\d\/\d{3}, [A-Z_]+ of \d{4}-\d\d-\d\d: day of announcement unknown, \d{4}-\d\d-\d\d is assumed/m,
    );
    expect(out).toMatch(
      /^ {4}linked with SEE\d{12}: the register names the number \(registernummer, register, sicher\)$/m,
    );
    expect(out).toMatch(/^ {2}(Begins|Ends) on .*; it follows from the assumed day of announcement$/m);
  });

  it.each([
    [
      "units.einheitTyp = 'solar' AND kw > 10000",
      /^ {2}Line \d+, its highest band, ends at 10000 kW; the plant reaches [\d.]+ kW$/m,
    ],
    ["units.einheitTyp = 'solar' AND kw < 10000", /^ {2}Line \d+ begins on 2024-01-01$/m],
  ])('the line at which it ended for a plant without a rate: %s', async (condition, line) => {
    const { out } = await explain(await unitWhere(`gruende = ['keine_rate'] AND ${condition}`));
    expect(out).toMatch(/^ {2}Asked of data\/reference\/eeg-rates\.csv: solar\/[a-z]+\/\w+ on \d{4}-\d\d-\d\d$/m);
    expect(out).toMatch(line);
  });

  it('the shortest time of the initial rate offshore', async () => {
    const { out } = await explain(await unitWhere(`phasenwechsel IS NOT NULL AND list_contains(gruende, 'seewind')`));
    expect(out).toMatch(
      /^ {2}Initial rate offshore: twelve years from \d{4}-\d\d-\d\d; distance and depth may make it longer\n {2}The higher initial rate ends on /m,
    );
  });

  it.each([
    `phasenwechsel IS NOT NULL AND inbetriebnahme >= DATE '2000-04-01' AND NOT list_contains(gruende, 'seewind')`,
    `phasenwechsel IS NOT NULL AND inbetriebnahme < DATE '2000-04-01'`,
    `units.einheitTyp = 'wind' AND phasenwechsel IS NULL AND referenzertrag < 0.6 AND inbetriebnahme BETWEEN '2009-01-01' AND '2010-01-01'`,
    `units.einheitTyp = 'wind' AND phasenwechsel IS NULL AND referenzertrag < 0.6 AND inbetriebnahme BETWEEN '2015-01-01' AND '2017-01-01'`,
  ])('the arithmetic of the initial rate of wind: %s', async (condition) => {
    const { out } = await explain(await unitWhere(condition));
    const [, formula = '', months] =
      /^ {2}Months of the initial rate at a yield of [\d.]+ %[^:]*: (.*?) = (\d+)/m.exec(out) ?? [];
    const steps = [...formula.matchAll(/(2 × )?whole part of \((\d+) − ([\d.]+)\) \/ ([\d.]+)/g)].map(
      ([, twice, limit, percent, step]) =>
        (twice === undefined ? 1 : 2) * Math.floor((Number(limit) - Number(percent)) / Number(step)),
    );
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.reduce((sum, one) => sum + one, 60)).toBe(Number(months));
    const [, left = months, from = ''] = /(?:at least: (\d+))?, from (\d{4}-\d\d-\d\d) on$/m.exec(out) ?? [];
    const [year = 0, month = 0] = from.split('-').map(Number);
    const until = new Date(Date.UTC(year, month - 1 + Number(left), 1)).toISOString().slice(0, 7);
    expect(out).toMatch(new RegExp(`(The higher initial rate ends on|That is until) ${until}`));
  });
});

describe('a unit without values says why', () => {
  it.each([
    ["eegMastrNummer IS NULL AND units.einheitTyp = 'combustion'", /names no EEG plant behind this unit/],
    [
      `units.einheitTyp <> 'storage' AND eegMastrNummer IS NOT NULL AND eegMastrNummer NOT IN (
         SELECT eegMastrNummer FROM units JOIN foerderung ON nummer = einheit WHERE eegMastrNummer IS NOT NULL)`,
      /does not contain the EEG plant EEG\d{12} that the unit names/,
    ],
    ["units.einheitTyp = 'storage' AND eegMastrNummer IS NOT NULL", /storage has no claim of its own/],
    [
      `betriebsStatus = 'In Planung' AND eegMastrNummer IN (
         SELECT eegMastrNummer FROM units WHERE betriebsStatus = 'In Betrieb' AND units.einheitTyp <> 'storage')`,
      /Of another carrier or in another state, with values of their own: SEE\d{12}[\s\S]*because:\n {4}nicht_in_betrieb: /,
    ],
    ["gruende = ['keine_zahlung']", /because:\n {4}keine_zahlung: Payments under the EEG are not claimed\./],
    ["gruende = ['foerderung_beendet']", /because:\n {4}foerderung_beendet: The support has ended\./],
  ])('%s', async (condition, text) => {
    const { code, out } = await explain(await unitWhere(condition));
    expect(code).toBe(0);
    expect(out).toMatch(/nicht_ableitbar/);
    expect(out).toMatch(text);
  });
});

describe('what is kept adds up', () => {
  it('the mean over the bands is the tariff or value of every solar plant with a rate by law', async () => {
    const plants = await withTables(warehouse.path, (tables) =>
      tables<{ kw: number; before: number; tariff: number | null; value: number | null; lines: number[] }>(`
        SELECT kw::DOUBLE AS kw, davorKw::DOUBLE AS before, verguetung::DOUBLE AS tariff, anzulegenderWert::DOUBLE AS value,
          raten AS lines
        FROM foerderung WHERE einheitTyp = 'solar' AND anzulegenderWert IS NOT NULL AND len(raten) > 0`),
    );
    expect(plants.length).toBeGreaterThan(5000);
    const rates = new Map(
      rateLines([...new Set(plants.flatMap(({ lines }) => lines))]).map((rate) => [rate.line, rate]),
    );
    const wrong = plants.filter(({ kw, before, tariff, value, lines }) => {
      const bands = bandsOf(
        lines.map((line) => rates.get(line)!),
        kw,
        before,
      );
      const whole = bands.reduce((sum, { kilowatts }) => sum + kilowatts, 0);
      const means = [meanOf(bands, 'tariff')?.mean, meanOf(bands, 'value')?.mean];
      const expected = [tariff, means[1] === undefined ? undefined : value];
      const differs = means.some((mean, at) => mean !== undefined && expected[at] != null && mean !== expected[at]);
      return differs || Math.abs(whole - kw) > 0.0005;
    });
    expect(wrong).toEqual([]);
  });

  it('every reason of the sample has a sentence', async () => {
    const codes = await withTables(warehouse.path, (tables) =>
      tables<{ code: string }>('SELECT DISTINCT code FROM (SELECT unnest(gruende) AS code FROM foerderung)'),
    );
    expect(codes.length).toBeGreaterThan(10);
    for (const { code } of codes) expect(meaningOf(code), code).toMatch(/^[A-Z].*\.$/);
  });
});

describe('refusals', () => {
  it.each([
    [['SEE1'], 2, /must be a unit number/],
    [['EEG900000000001'], 2, /must be a unit number/],
    [['SEE999999999999'], 5, /^20261101-0001 has no unit SEE999999999999: /],
    [['SEE999999999999', '--version', '20200101-0001'], 5, /^There is no version 20200101-0001\. Those there are/],
  ])('%j', async (words, code, text) => {
    const result = await explain(...words);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toMatch(text);
  });

  it('before anything is served', async () => {
    const nothing = warehouseFolder();
    const { code, err } = await ingestHere(nothing.path, ['explain', 'SEE999999999999']);
    expect([code, err]).toEqual([5, expect.stringMatching(/^Nothing is served yet/)]);
    nothing.remove();
  });

  it('a version of an earlier release, and one whose file is gone', async () => {
    const older = warehouseFolder();
    cpSync(warehouse.path, older.path, { recursive: true });
    const file = versionFile(older.path, currentPublication(older.path)!.version);
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run('DROP TABLE foerderung');
    connection.closeSync();
    instance.closeSync();
    const before = await ingestHere(older.path, ['explain', 'SEE999999999999']);
    expect([before.code, before.err]).toEqual([5, expect.stringMatching(/built by an older release/)]);
    rmSync(file);
    const elsewhere = await ingestHere(older.path, ['explain', 'SEE999999999999']);
    expect([elsewhere.code, elsewhere.err]).toEqual([5, expect.stringMatching(/^\d+-\d+ is gone\./)]);
    older.remove();
  });
});
