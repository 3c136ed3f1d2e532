import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printReport } from '../../../ingest/build/print-report.ts';
import { readReport } from '../../../ingest/run/build-report.ts';
import { currentPublication } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryServed, served, strayFiles } from '../../support/warehouse.ts';

const folder = folderOfTests();
let register: RegisterExport;

beforeAll(async () => {
  register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
});

afterAll(() => folder.remove());

/** The register with so many wind units: bands count from 200 on. */
function withWind(count: number): RegisterExport {
  const copy = register.copy().shorten(40);
  const wind = copy.of('EinheitenWind');
  const { LokationMaStRNummer: _, ...model } = wind.records[0]!;
  wind.records = Array.from({ length: count }, (__, index): Row => {
    const number = `SEE97${String(index).padStart(10, '0')}`;
    return { ...model, EinheitMastrNummer: number, EinheitSystemstatus: '472' };
  });
  return copy;
}

const written = (name: string, day: string, content: RegisterExport): string =>
  content.write(join(folder.path, name), day);

/** Units that vanish have a band of their own (holes.test.ts). */
const COUNTS_ONLY = { BAND_VANISH: '1' };

describe('a carrier out of its band', () => {
  const warehouse = join(folder.path, 'band');
  /** The warehouse with its first version only. */
  const copy = join(folder.path, 'edge');
  let first: string;

  beforeAll(async () => {
    await buildIn(warehouse, written('band-1', '2026-11-01', withWind(400)));
    first = currentPublication(warehouse)!.version;
    cpSync(warehouse, copy, { recursive: true });
  });

  it('is not published: exit code 3, and the report says which, how much, and what is allowed', async () => {
    const source = written('band-2', '2026-11-02', withWind(379));
    const result = await ingestHere(warehouse, ['build', source], COUNTS_ONLY);
    expect(result.code).toBe(3);
    expect(result.out).toContain('FAILED wind: 379 units after 400, −5.3 %; allowed are −5.0 % to +10.0 %\n');
    expect(result.out).toContain('NOT PUBLISHED: 1 check failed; what was served is still served.');
    expect(result.out).toContain('npm run ingest -- publish 20261102-0002 --force');
    expect(currentPublication(warehouse)!.version).toBe(first);
    expect(readReport(warehouse, '20261102-0002')!.failedChecks).toHaveLength(1);
  });

  it('nor is one that grew too much, as reported by --json', async () => {
    const source = written('band-3', '2026-11-02', withWind(441));
    const result = await ingestHere(warehouse, ['build', source, '--json']);
    expect(result.code).toBe(3);
    const events = result.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    expect(events.at(-1)).toMatchObject({
      event: 'not published',
      version: '20261102-0003',
      failedChecks: ['wind: 441 units after 400, +10.3 %; allowed are −5.0 % to +10.0 %'],
    });
    expect(events.find(({ event }) => event === 'report')).toMatchObject({ version: '20261102-0003' });
  });

  it('is published where it is on the edge of the band, or the settings allow more', async () => {
    const { publication, report } = await buildIn(copy, written('edge', '2026-11-02', withWind(380)));
    expect(publication).not.toBeNull();
    expect(report.changes).toMatchObject({ added: 0, gone: 20 });
    const shrunk = written('band-4', '2026-11-03', withWind(250));
    expect((await ingestHere(copy, ['build', shrunk], { ...COUNTS_ONLY, BAND_SHRINK: '0.5' })).code).toBe(0);
    const grown = written('band-5', '2026-11-04', withWind(600));
    expect((await ingestHere(copy, ['build', grown], { BAND_GROW: '2' })).code).toBe(0);
    // Those that have come back count as new ones do.
    expect(readReport(copy, currentPublication(copy)!.version)?.changes).toMatchObject({ added: 350, gone: 0 });
  });

  it('is published by publish --force, which the pointer and the status record', async () => {
    const fault = 'wind: 379 units after 400, −5.3 %; allowed are −5.0 % to +10.0 %';
    const refused = await ingestHere(warehouse, ['publish', '20261102-0002']);
    expect(refused).toMatchObject({ code: 5 });
    expect(refused.err).toContain(`20261102-0002 failed its checks:\n  ${fault}\n--force publishes it.`);
    expect(await ingestHere(warehouse, ['publish', '20261102-0002', '--force'])).toMatchObject({
      code: 0,
      out: 'Published 20261102-0002 (forced)\n',
    });
    expect(currentPublication(warehouse)).toMatchObject({ version: '20261102-0002', forced: [fault] });
    expect((await ingestHere(warehouse, ['status'])).out).toContain(`forced in spite of: ${fault}\n`);
    expect(JSON.parse((await ingestHere(warehouse, ['status', '--json'])).out)).toMatchObject({
      served: { version: '20261102-0002', forced: [fault] },
    });
  });

  it('cannot be published any more once it was built upon another version than the one served', async () => {
    const result = await ingestHere(warehouse, ['publish', '20261102-0003', '--force']);
    expect(result.code).toBe(5);
    expect(result.err).toBe(
      '20261102-0003 was built upon 20261101-0001, but 20261102-0002 is served: ' +
        'its history would miss what came between. Build the export again.\n',
    );
  });

  it('is published at once by build --force', async () => {
    const source = written('band-6', '2026-11-05', withWind(300));
    const result = await ingestHere(warehouse, ['build', source, '--force', '--json'], COUNTS_ONLY);
    expect(result.code).toBe(0);
    expect(currentPublication(warehouse)!.forced).toEqual([expect.stringContaining('wind: 300 units after 379')]);
  });
});

describe('an export without units', () => {
  it('is not published, not even as the first one', async () => {
    const empty = register.copy();
    for (const document of empty.starting('Einheiten')) document.records = [];
    const warehouse = join(folder.path, 'none');
    const result = await ingestHere(warehouse, ['build', written('none-1', '2026-11-01', empty)]);
    expect(result.code).toBe(3);
    expect(result.out).toContain('FAILED The export holds no units');
    expect(currentPublication(warehouse)).toBeNull();
    expect(strayFiles(warehouse)).toEqual([]);
    // The next night has no version to compare with.
    expect((await buildIn(warehouse, written('none-2', '2026-11-02', withWind(5)))).publication).not.toBeNull();
    // Nor is one without units of one carrier.
    const { report, publication } = await buildIn(warehouse, written('carrier', '2026-11-03', withWind(0)));
    expect(publication).toBeNull();
    expect(report.failedChecks).toEqual(['wind: 5 units before, none now']);
  });
});

describe('a required file that the export lacks', () => {
  it('can be omitted with --force, which is recorded', async () => {
    const warehouse = join(folder.path, 'needed');
    const source = written('needed', '2026-11-01', register.copy().drop('EinheitenWind'));
    const { publication } = await buildIn(warehouse, source, { force: true });
    expect(publication!.forced).toEqual(['The export has no file EinheitenWind.xml, which the service needs']);
    const types = await queryServed<{ einheitTyp: string }>(warehouse, 'SELECT DISTINCT einheitTyp FROM units');
    expect(types.map(({ einheitTyp }) => einheitTyp)).not.toContain('wind');
  });
});

describe('content that is not in the field table', () => {
  const warehouse = join(folder.path, 'new');
  let plain: number;

  beforeAll(async () => {
    await publishRegister(warehouse);
    plain = (await served(warehouse))!.units;
    const changed = register.copy();
    const wind = changed.of('EinheitenWind').records;
    for (const row of wind.slice(0, 3)) row.Rotorfarbe = 'weiß';
    wind[3]!.Technologie = '999999';
    changed.files.set('Foo.xml', {
      root: 'Foo',
      record: 'Bar',
      records: [
        { Id: '1', Baz: 'x' },
        { Id: '2', Baz: 'y' },
      ],
    });
    await buildIn(warehouse, written('new-2', '2026-11-02', changed));
  });

  it('does not keep a version from being published', async () => {
    expect(currentPublication(warehouse)).toMatchObject({ exportDay: '2026-11-02', sequence: 2 });
    expect((await served(warehouse))!.units).toBe(plain);
  });

  it('is a finding: a new element with the form of its texts and its count, but no text', async () => {
    expect(
      await queryServed(
        warehouse,
        `SELECT datei, feld, roh, hinweis, anzahl FROM befunde WHERE befund = 'element_unbekannt'`,
      ),
    ).toEqual([
      { datei: 'EinheitenWind.xml', feld: 'Rotorfarbe', roh: null, hinweis: '4 characters: letters', anzahl: 3n },
    ]);
  });

  it('is a finding: a new catalogue id, with a unit in which it occurs', async () => {
    const [finding] = await queryServed(
      warehouse,
      `SELECT art, feld, beispiel, anzahl FROM befunde WHERE befund = 'katalog_id_unbekannt' AND roh = '999999'`,
    );
    expect(finding).toEqual({
      art: 'EinheitenWind',
      feld: 'Technologie',
      beispiel: register.of('EinheitenWind').records[3]!.EinheitMastrNummer,
      anzahl: 1n,
    });
  });

  it('is a finding: a new file, whose records are counted and not stored', async () => {
    expect(await queryServed(warehouse, `SELECT befund, anzahl FROM befunde WHERE datei = 'Foo.xml'`)).toEqual([
      { befund: 'datei_unbekannt', anzahl: 1n },
    ]);
    expect(
      await queryServed(warehouse, `SELECT art, verwendung, gelesen, geladen FROM dateien WHERE datei = 'Foo.xml'`),
    ).toEqual([{ art: 'Foo', verwendung: 'unbekannt', gelesen: 2n, geladen: 0n }]);
  });

  it('is in the report', () => {
    const report = readReport(warehouse, currentPublication(warehouse)!.version)!;
    expect(report.befunde).toMatchObject({ element_unbekannt: 3, datei_unbekannt: 1 });
    expect(printReport(report)).toContain('finding datei_unbekannt: 1');
    expect(printReport(report)).toContain('unknown files: Foo.xml');
    expect(report.failedChecks).toEqual([]);
  });
});
