import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildOptions } from '../../../ingest/build/options.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { RULE_IDS } from '../../../sql/catalogue/anomalies.ts';
import { STORED_FIELDS, UNIT_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { currentPublication, listVersions, rowFile, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { isAsFromNothing } from '../../support/row-file.ts';
import * as support from '../../support/warehouse.ts';
import { queryServed, withVersion } from '../../support/warehouse.ts';

const folder = folderOfTests();
let firstDay: string;
let register: RegisterExport;

beforeAll(async () => {
  firstDay = await generateExport(folder.path, '2026-11-01');
  // For the tests of single wind units; the generated days are built as they are.
  register = await RegisterExport.read(firstDay);
  register.shorten(8, 'EinheitenWind');
});

afterAll(() => folder.remove());

/** Builds a version. Whatever rows it keeps of the one before, its row file is the one that is written from nothing. */
const buildIn: typeof support.buildIn = async (warehouse, ...rest) => {
  const outcome = await support.buildIn(warehouse, ...rest);
  expect(await isAsFromNothing(warehouse, outcome.report.version)).toBe(true);
  return outcome;
};

const written = (name: string, day: string, content: RegisterExport): string =>
  content.write(join(folder.path, name), day);

/** Compares two versions of a warehouse: `vorher` and `nachher` stand for their units. */
async function compare<T>(warehouse: string, before: string, after: string, sql: string): Promise<T[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    for (const [name, id] of Object.entries({ alt: before, neu: after })) {
      await connection.run(`ATTACH '${versionFile(warehouse, id)}' AS ${name} (READ_ONLY)`);
    }
    await connection.run('CREATE VIEW vorher AS FROM alt.units; CREATE VIEW nachher AS FROM neu.units');
    return (await connection.runAndReadAll(sql)).getRowObjectsJS() as T[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Returns true when two rows serve the same. It compares column by column, without the hash. */
const SAME = [
  ...STORED_FIELDS.map(({ name }) => name),
  'signals',
  'ersteRegistrierung',
  ...UNIT_FIELDS.flatMap(({ name, read }) => (name.startsWith('ibn') && read !== null ? [`(${read.sql})`] : [])),
]
  .map((text) => `${of('vorher', text)} IS NOT DISTINCT FROM ${of('nachher', text)}`)
  .join(' AND ');

/** A column, or an expression over columns, of one of the two; today is a day on which no planned one has passed. */
function of(version: string, text: string): string {
  const columns = /\b(ersterPlantag(Vom)?|letzterPlantag(Vom)?|inbetriebnahmedatum|geplantesInbetriebnahmedatum)\b/g;
  return text.startsWith('(')
    ? text.replaceAll(columns, `${version}.$&`).replaceAll('$today', "DATE '1900-01-01'")
    : `${version}.${text}`;
}

describe('three generated days', () => {
  const warehouse = join(folder.path, 'days');
  let ids: string[];

  beforeAll(async () => {
    const second = await generateExport(folder.path, '2026-11-20', firstDay);
    const third = await generateExport(folder.path, '2026-12-10', second);
    await publishRegister(warehouse);
    for (const source of [second, third]) await buildIn(warehouse, source, { force: true });
    ids = listVersions(warehouse).map(({ id }) => id);
  });

  it('inhaltSeit changes exactly for the units with a change in their served fields', async () => {
    for (const [before, after] of [
      [ids[0]!, ids[1]!],
      [ids[1]!, ids[2]!],
    ] as const) {
      const [sum] = await compare<Record<string, bigint>>(
        warehouse,
        before,
        after,
        `SELECT count(*) FILTER (gleich) AS gleich, count(*) FILTER (NOT gleich) AS anders,
           count(*) FILTER (gleich AND nachherSeit <> vorherSeit) AS falschNeu,
           count(*) FILTER (NOT gleich AND nachherSeit <> sequence) AS falschAlt
         FROM (
           SELECT ${SAME} AS gleich, vorher.inhaltSeit AS vorherSeit, nachher.inhaltSeit AS nachherSeit
           FROM vorher JOIN nachher USING (mastrNummer)
         ), neu.dataset`,
      );
      expect(sum).toMatchObject({ falschNeu: 0n, falschAlt: 0n });
      expect(Number(sum!.gleich)).toBeGreaterThan(300);
      expect(Number(sum!.anders)).toBeGreaterThan(0);
    }
  });

  it('new units have the number of their build, and units that left are kept with the build they left in', async () => {
    const [sum] = await compare<Record<string, bigint>>(
      warehouse,
      ids[1]!,
      ids[2]!,
      `SELECT
         (SELECT count(*) FROM nachher ANTI JOIN vorher USING (mastrNummer) WHERE inhaltSeit <> 3) AS falschNeu,
         (SELECT count(*) FROM vorher ANTI JOIN nachher USING (mastrNummer)
            ANTI JOIN (FROM neu.units_departed WHERE abgangSeit = 3) AS weg USING (mastrNummer)) AS vergessen,
         (SELECT count(*) FROM neu.units_departed SEMI JOIN nachher USING (mastrNummer)) AS zuViel`,
    );
    expect(sum).toEqual({ falschNeu: 0n, vergessen: 0n, zuViel: 0n });
  });

  it('the first planned day stays what it was, also of units that have been commissioned since', async () => {
    const [sum] = await compare<Record<string, bigint>>(
      warehouse,
      ids[0]!,
      ids[2]!,
      `SELECT count(*) AS alle,
         count(*) FILTER (nachher.ersterPlantag IS DISTINCT FROM vorher.geplantesInbetriebnahmedatum) AS verloren,
         count(*) FILTER (nachher.ersterPlantagVom IS DISTINCT FROM DATE '2026-11-01') AS falscherTag,
         count(*) FILTER (nachher.ersteRegistrierung > vorher.registrierungsdatum) AS spaeter
       FROM vorher JOIN nachher USING (mastrNummer) WHERE vorher.geplantesInbetriebnahmedatum IS NOT NULL`,
    );
    expect(sum).toMatchObject({ verloren: 0n, falscherTag: 0n, spaeter: 0n });
    expect(Number(sum!.alle)).toBeGreaterThan(0);
  });

  it('tell how often each rule applied on each day, a day that is built twice once', async () => {
    const last = await generateExport(folder.path, '2026-12-10', firstDay);
    await buildIn(warehouse, last, { force: true });
    const days = await queryServed(
      warehouse,
      `SELECT tag::VARCHAR AS tag, count(*)::INTEGER AS n, count(DISTINCT regel)::INTEGER AS rules
       FROM auffaelligkeiten_verlauf GROUP BY ALL ORDER BY tag`,
    );
    const n = RULE_IDS.length + 1;
    expect(days).toEqual(['2026-11-01', '2026-11-20', '2026-12-10'].map((tag) => ({ tag, n, rules: n })));
    const [now] = await queryServed(
      warehouse,
      `SELECT list(v.anzahl ORDER BY regel)::VARCHAR AS told, (SELECT count(*) FROM units_auffaellig)::INTEGER AS conspicuous,
         max(v.anzahl) FILTER (regel = 'auffaellig') AS total
       FROM auffaelligkeiten_verlauf AS v WHERE tag = '2026-12-10'`,
    );
    expect(now!.total).toBe(now!.conspicuous);
    expect(now!.conspicuous).toBeGreaterThan(0);
  });
});

describe('a unit over the versions', () => {
  const warehouse = join(folder.path, 'unit');
  const NAME = 'Windkraft Unverwechselbar GmbH';
  let operator: string;
  let mine: string[];
  let other: string;
  let deleted: string;
  /** Planned ones, and the days that they are planned for: one leaves the register, one is commissioned. */
  let leaving: { number: string; tag: string };
  let commissioned: { number: string; tag: string };

  const without = (content: RegisterExport, ...numbers: string[]): RegisterExport => {
    const wind = content.of('EinheitenWind');
    wind.records = wind.records.filter((row) => !numbers.includes(row.EinheitMastrNummer!));
    return content;
  };
  const row = async (number: string) => (await queryServed(warehouse, `FROM units WHERE mastrNummer = '${number}'`))[0];
  const departed = () =>
    queryServed(
      warehouse,
      'SELECT mastrNummer, abgangSeit, abgangGrund, betreiberName FROM units_departed ORDER BY ALL',
    );
  const planOf = async (from: string, number: string) => {
    const [found] = await queryServed(
      warehouse,
      `SELECT inhaltSeit, letzterPlantag::VARCHAR AS tag, letzterPlantagVom::VARCHAR AS vom FROM ${from} WHERE mastrNummer = '${number}'`,
    );
    return found;
  };
  const unplan = (number: string): void => {
    delete register.of('EinheitenWind').records.find((one) => one.EinheitMastrNummer === number)!
      .GeplantesInbetriebnahmedatum;
  };
  const actor = (content: RegisterExport): Row =>
    content.of('Marktakteure').records.find((one) => one.MastrNummer === operator)!;
  let day = 0;
  const next = async (content: RegisterExport, options: Partial<BuildOptions> = {}) => {
    day++;
    const name = String(day).padStart(2, '0');
    return buildIn(warehouse, written(`unit-${day}`, `2026-11-${name}`, content), { force: true, ...options });
  };

  beforeAll(async () => {
    const gone = new Set(
      register.of('GeloeschteUndDeaktivierteEinheiten').records.map((one) => one.EinheitMastrNummer),
    );
    const wind = register
      .of('EinheitenWind')
      .records.filter((one) => !gone.has(one.EinheitMastrNummer) && one.EinheitSystemstatus === '472');
    const known = new Map(register.of('Marktakteure').records.map((one) => [one.MastrNummer, one]));
    operator = wind
      .map((one) => one.AnlagenbetreiberMastrNummer!)
      .find((number) => known.get(number)?.Personenart === '517')!;
    for (const one of wind.slice(0, 3)) one.AnlagenbetreiberMastrNummer = operator;
    mine = wind.slice(0, 3).map((one) => one.EinheitMastrNummer!);
    // Units in operation: of planned ones the second export tells the shift.
    const running = wind.slice(3).filter((one) => one.Inbetriebnahmedatum !== undefined);
    [other, deleted] = running.map((one) => one.EinheitMastrNummer!) as [string, string];
    actor(register).Firmenname = NAME;
    await next(register);
    const planned = await queryServed<{ number: string; tag: string }>(
      warehouse,
      `SELECT mastrNummer AS number, geplantesInbetriebnahmedatum::VARCHAR AS tag FROM units
       WHERE einheitTyp = 'wind' AND geplantesInbetriebnahmedatum IS NOT NULL
         AND mastrNummer NOT IN (${mine.map((number) => `'${number}'`).join(', ')}) ORDER BY ALL LIMIT 2`,
    );
    [leaving, commissioned] = planned as [typeof leaving, typeof leaving];
    expect(await planOf('units', leaving.number)).toEqual({ inhaltSeit: 1, tag: leaving.tag, vom: '2026-11-01' });
  });

  it('counts as changed when only its operator was renamed, and no date in the export says so', async () => {
    const renamed = register.copy();
    actor(renamed).Firmenname = `${NAME} & Co. KG`.replace('&', '&amp;');
    await next(renamed);
    expect(await row(mine[0]!)).toMatchObject({ betreiberName: `${NAME} & Co. KG`, inhaltSeit: 2 });
    expect(await row(other)).toMatchObject({ inhaltSeit: 1 });
    // And back: that is a change again.
    await next(register);
    expect(await row(mine[0]!)).toMatchObject({ betreiberName: NAME, inhaltSeit: 3 });
  });

  it('does not count as changed when the same export comes again', async () => {
    await next(register);
    const counts = await queryServed(warehouse, 'SELECT inhaltSeit, count(*)::INTEGER AS n FROM units GROUP BY ALL');
    // Build 2 is the one that saw planned units for the second time: since then they have a shift, of no days.
    expect(counts.map(({ inhaltSeit }) => inhaltSeit).toSorted()).toEqual([1, 2, 3]);
    expect(
      await queryServed(warehouse, 'FROM units WHERE inhaltSeit = 2 AND geplantesInbetriebnahmedatum IS NULL'),
    ).toEqual([]);
    const { report } = await buildIn(warehouse, written('unit-4', '2026-11-04', register));
    expect(report).toMatchObject({ exportDay: '2026-11-04', sequence: 5 });
    expect(await queryServed(warehouse, 'SELECT inhaltSeit, count(*)::INTEGER AS n FROM units GROUP BY ALL')).toEqual(
      expect.arrayContaining(counts),
    );
  });

  it('that is planned has one row for all nights while nothing changes', async () => {
    expect(await planOf('units', leaving.number)).toEqual({ inhaltSeit: 2, tag: leaving.tag, vom: '2026-11-02' });
  });

  it('departs with its last row and the reason', async () => {
    unplan(commissioned.number);
    const left = without(register.copy(), mine[0]!, leaving.number);
    left.of('GeloeschteUndDeaktivierteEinheiten').records.push({
      EinheitMastrNummer: deleted,
      DatumLetzteAktualisierung: '2026-11-05T10:00:00',
      Einheittyp: '2',
      EinheitSystemstatus: '473',
    });
    const before = await row(deleted);
    await next(left);
    expect(await row(deleted)).toBeUndefined();
    expect((await departed()).filter(({ abgangSeit }) => abgangSeit === 6)).toEqual(
      [
        ...[mine[0], leaving.number].map((mastrNummer) => ({
          ...{ mastrNummer, abgangSeit: 6, abgangGrund: 'verschwunden', betreiberName: null },
        })),
        { mastrNummer: deleted, abgangSeit: 6, abgangGrund: 'geloescht', betreiberName: null },
      ].toSorted((a, b) => (a.mastrNummer! < b.mastrNummer! ? -1 : 1)),
    );
    const [kept] = await queryServed(
      warehouse,
      `SELECT * EXCLUDE (abgangSeit, abgangGrund) FROM units_departed WHERE mastrNummer = '${deleted}'`,
    );
    expect(kept).toEqual({ ...before, betreiberName: null });
  });

  it('keeps the day on which it was planned last once it is not', async () => {
    const vom = '2026-11-04';
    expect(await planOf('units', commissioned.number)).toEqual({ inhaltSeit: 6, tag: commissioned.tag, vom });
    expect(await planOf('units_departed', leaving.number)).toEqual({ inhaltSeit: 2, tag: leaving.tag, vom });
  });

  it('of an operator that becomes a natural person loses the name everywhere', async () => {
    const person = without(register.copy(), mine[0]!, leaving.number);
    // The hardest case: the register leaves the name of the company where it was.
    actor(person).Personenart = '518';
    await next(person);
    expect(await row(mine[1]!)).toMatchObject({ betreiberMastrNummer: operator, betreiberName: null, inhaltSeit: 7 });
    const { version } = currentPublication(warehouse)!;
    await withVersion(warehouse, version, async (ask) => {
      const tables = await ask<{ name: string }>('SELECT table_name AS name FROM duckdb_tables()');
      expect(tables.length).toBeGreaterThan(8);
      for (const { name } of tables) {
        const found = await ask(`SELECT 1 FROM ${name} AS t WHERE contains(t::VARCHAR, '${NAME}')`);
        expect(found, `${name} still names the operator`).toEqual([]);
      }
    });
    expect(await queryServed(warehouse, `SELECT 1 FROM marktakteure WHERE mastrNummer = '${operator}'`)).toEqual([]);
  });

  it('that returns is new in its build, with the history it had, and is no longer among the departed', async () => {
    const [last] = await queryServed(warehouse, `FROM units_departed WHERE mastrNummer = '${mine[0]}'`);
    unplan(leaving.number);
    await next(register);
    const { tag } = leaving;
    expect(await planOf('units', leaving.number)).toEqual({ inhaltSeit: 8, tag, vom: '2026-11-04' });
    expect(await row(mine[0]!)).toMatchObject({
      inhaltSeit: 8,
      ersteRegistrierung: last!.ersteRegistrierung,
      ersterPlantag: last!.ersterPlantag,
    });
    expect((await departed()).map(({ mastrNummer }) => mastrNummer)).not.toContain(mine[0]);
  });

  it('does not count as changed when another engine or catalogue hashes its content differently', async () => {
    const { version } = currentPublication(warehouse)!;
    const before = await queryServed(warehouse, 'SELECT mastrNummer, inhaltSeit FROM units ORDER BY ALL');
    const instance = await DuckDBInstance.create(versionFile(warehouse, version));
    const connection = await instance.connect();
    await connection.run(`UPDATE dataset SET hashBasis = 'another'; UPDATE units SET inhalt = 42`);
    connection.closeSync();
    instance.closeSync();
    await next(register);
    expect(currentPublication(warehouse)!.version).not.toBe(version);
    expect(await queryServed(warehouse, 'SELECT mastrNummer, inhaltSeit FROM units ORDER BY ALL')).toEqual(before);
  });

  it('does not count as changed when its row was damaged: all rows are written anew, and the build says so', async () => {
    const path = rowFile(warehouse, currentPublication(warehouse)!.version);
    const before = await queryServed(warehouse, 'SELECT mastrNummer, inhaltSeit FROM units ORDER BY ALL');
    const bytes = readFileSync(path);
    bytes[0]! ^= 1;
    writeFileSync(path, bytes);
    const notes: string[] = [];
    await next(register, { progress: { ...silentProgress, note: (text) => notes.push(text) } });
    expect(notes.filter((text) => text.startsWith('All rows are written anew'))).toHaveLength(1);
    expect(await queryServed(warehouse, 'SELECT mastrNummer, inhaltSeit FROM units ORDER BY ALL')).toEqual(before);
  });

  it('has changed when a column that was only kept is served now, as readers of the version before did not get it', async () => {
    const { version } = currentPublication(warehouse)!;
    const instance = await DuckDBInstance.create(versionFile(warehouse, version));
    const connection = await instance.connect();
    await connection.run(`UPDATE dataset SET hashBasis = 'another';
      ALTER TABLE units ADD COLUMN kept VARCHAR;
      UPDATE units SET kept = gemeindeschluessel;
      ALTER TABLE units DROP COLUMN gemeindeschluessel;
      ALTER TABLE units RENAME COLUMN kept TO gemeindeschluessel`);
    connection.closeSync();
    instance.closeSync();
    await next(register);
    const [counted] = await queryServed(
      warehouse,
      `SELECT count(*) > 0 AS some, bool_and((inhaltSeit = sequence) = (gemeindeschluessel IS NOT NULL)) AS exactly
       FROM units, dataset`,
    );
    expect(counted).toEqual({ some: true, exactly: true });
  });
});
