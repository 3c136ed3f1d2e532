import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuildReport, readReport } from '../../../ingest/run/build-report.ts';
import { currentPublication } from '../../../sql/warehouse/versions.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';

/** An export that lacks part of itself is not published: mirrors would be told that units are gone which still exist. */

const folder = folderOfTests();
/** The version that all others are compared with: none of them is published. */
const warehouse = join(folder.path, 'warehouse');
/** The warehouse as it was before anything else was built in it. */
const asPublished = join(folder.path, 'as-published');
let register: RegisterExport;

beforeAll(async () => {
  register = inParts(await RegisterExport.read(await generateExport(folder.path, '2026-11-01')), 'EinheitenSolar', 3);
  await buildIn(warehouse, register.write(join(folder.path, 'first'), '2026-11-01'));
  cpSync(warehouse, asPublished, { recursive: true });
});

afterAll(() => folder.remove());

/** Writes a kind in so many parts. */
function inParts(content: RegisterExport, kind: string, parts: number): RegisterExport {
  const whole = content.of(kind);
  content.drop(kind);
  const size = Math.ceil(whole.records.length / parts);
  for (let part = 1; part <= parts; part++) {
    const records = whole.records.slice((part - 1) * size, part * size);
    content.files.set(`${kind}_${part}.xml`, { ...whole, records });
  }
  return content;
}

let exports = 0;
/** Writes the register of the next day, changed. */
function written(change: (content: RegisterExport) => void, day = '2026-11-02'): string {
  const content = register.copy();
  change(content);
  return content.write(join(folder.path, String(++exports)), day);
}

/** The report of a build of the register, changed, that is refused. */
async function refused(change: (content: RegisterExport) => void): Promise<BuildReport> {
  const { report, publication } = await buildIn(warehouse, written(change));
  expect(publication).toBeNull();
  return report;
}

/** A warehouse of its own that serves the same, for builds that are published. */
function anotherWarehouse(): string {
  const copy = join(folder.path, `warehouse-${++exports}`);
  cpSync(asPublished, copy, { recursive: true });
  return copy;
}

describe('a numbered part that is missing', () => {
  it('stops the build with exit code 6 and is named, and --force does not help', async () => {
    const source = written((content) => content.files.delete('EinheitenSolar_2.xml'));
    const expected = {
      code: 6,
      err: `${source} is not whole: EinheitenSolar_2.xml is missing before EinheitenSolar_3.xml. Nothing of it was built; download it again.\n`,
    };
    expect(await ingestHere(warehouse, ['build', source])).toMatchObject(expected);
    expect(await ingestHere(warehouse, ['build', source, '--force'])).toMatchObject(expected);
    expect(await ingestHere(warehouse, ['build', source, '--backfill'])).toMatchObject(expected);
  });

  it('at the end of the numbering is noticed by comparison with the previous version; --force builds, and is recorded', async () => {
    const source = written((content) => content.files.delete('EinheitenSolar_3.xml'));
    const { code, err } = await ingestHere(warehouse, ['build', source]);
    expect(code).toBe(6);
    expect(err).toContain('has lost parts since 20261101-0001: EinheitenSolar: 2 parts after 3. Nothing was built');
    const copy = anotherWarehouse();
    expect((await ingestHere(copy, ['build', source, '--force'])).code).toBe(0);
    expect(currentPublication(copy)?.forced).toEqual(
      expect.arrayContaining(['EinheitenSolar: 2 parts after 3', expect.stringMatching(/^solar: units vanished/)]),
    );
  });
});

describe('units that vanish in one build', () => {
  const storage = (content: RegisterExport) => content.of('EinheitenStromSpeicher').records;
  /** Others in their place, so that the carrier stays in its band. */
  const replace = (rows: readonly Row[]) => {
    for (const [index, row] of rows.entries()) row.EinheitMastrNummer = `SEE97${String(index).padStart(10, '0')}`;
  };

  it('prevent its publication, also where as many new ones come', async () => {
    const { failedChecks } = await refused((content) => replace(storage(content).slice(0, 40)));
    expect(failedChecks).toEqual([
      'storage: units vanished without a word of the register: 40 of 148, 27.0 %; allowed are 0.5 %, or 20 more',
    ]);
  });

  it('may be a handful, and any number where the register says that they are deleted or deactivated', async () => {
    const copy = anotherWarehouse();
    const source = written((content) => {
      const rows = storage(content);
      replace(rows.slice(0, 20));
      for (const row of rows.slice(20, 25)) row.EinheitSystemstatus = '473';
      for (const { EinheitMastrNummer = '' } of rows.splice(25, 2)) {
        const row = { EinheitMastrNummer, EinheitSystemstatus: '572', Einheittyp: '8' };
        content.of('GeloeschteUndDeaktivierteEinheiten').records.push(row);
      }
    });
    const { publication, report } = await buildIn(copy, source);
    expect(publication).not.toBeNull();
    expect(report.measures).toContainEqual({ check: 'vanished', what: 'units', where: 'storage', count: 20, of: 148 });
    expect(
      await queryServed(
        copy,
        'SELECT abgangGrund, count(*)::INTEGER AS n FROM units_departed GROUP BY ALL ORDER BY ALL',
      ),
    ).toEqual([
      { abgangGrund: 'geloescht', n: 7 },
      { abgangGrund: 'verschwunden', n: 20 },
    ]);
  });
});

describe('files that are cut off', () => {
  const CUT = {
    Marktakteure: 'AnlagenbetreiberMastrNummer',
    AnlagenEegSolar: 'EegMaStRNummer',
    AnlagenKwk: 'KwkMastrNummer',
    AnlagenStromSpeicher: 'SpeMastrNummer',
    EinheitenGenehmigung: 'GenMastrNummer',
    Netzanschlusspunkte: 'NetzanschlusspunkteMaStRNummern',
    Bilanzierungsgebiete: 'BilanzierungsgebietNetzanschlusspunktId',
  };
  let report: BuildReport;

  beforeAll(async () => {
    report = await refused((content) => {
      for (const kind of Object.keys(CUT)) content.of(kind).records.splice(10);
    });
  });

  it.each(Object.entries(CUT))('%s: references to it dangle, and are counted', (_, element) => {
    const shares = (report.measures ?? [])
      .filter(
        ({ check, what, count }) => check === 'references' && what.toLowerCase() === element.toLowerCase() && count > 0,
      )
      .map(({ count, of }) => count / of);
    expect(Math.max(...shares)).toBeGreaterThan(0.5);
  });

  it('are reported by the five worst of each check, with the number of the others', () => {
    const told = report.failedChecks.filter((fault) => fault.includes(' names what is not in the export: '));
    expect(told).toHaveLength(5);
    expect(told[0]).toMatch(
      /^\w+: \w+ names what is not in the export: \d+ of \d+, \d+\.\d %.*; allowed are \d+\.\d %, or 20 more$/,
    );
    expect(report.failedChecks).toContainEqual(expect.stringMatching(/^references: \d+ more are out of their bands/));
  });
});

describe('a catalogue with three of its values', () => {
  const cut = (content: RegisterExport) => {
    content.of('Katalogwerte').records.splice(3);
  };

  it('prevents its publication: ids have no text, and units are without state and status', async () => {
    const { failedChecks } = await refused(cut);
    expect(failedChecks).toContainEqual(
      expect.stringMatching(
        /^\w+: \w+ has ids without a text in the catalogues: \d+ of \d+, \d+\.\d %; allowed are 1\.0 %/,
      ),
    );
    expect(failedChecks).toContainEqual(
      expect.stringMatching(/^solar: units have no bundesland: 16\d of 16\d, 100\.0 %/),
    );
  });

  it('does so for the first build, too, which has no version to compare with', async () => {
    const { publication, report } = await buildIn(join(folder.path, 'cut'), written(cut));
    expect(publication).toBeNull();
    expect(report.failedChecks).toContainEqual(expect.stringMatching(/: units have no betriebsStatus: 4\d\d of 4\d\d/));
    expect(report.failedChecks).toContainEqual(
      expect.stringMatching(/: Bundesland has ids without a text in the catalogues/),
    );
  });
});

it('operators that become persons and an element that the register has renamed are reported', async () => {
  const { failedChecks } = await refused((content) => {
    for (const row of content.of('Marktakteure').records) row.Personenart = '518';
    for (const { records } of content.starting('Einheiten')) {
      for (const row of records) {
        row.Land2 = row.Bundesland ?? '';
        delete row.Bundesland;
      }
    }
  });
  expect(failedChecks).toContainEqual(
    expect.stringMatching(/^wind: operators of units have lost their names: \d+ of \d+, 100\.0 %; allowed are 1\.0 %/),
  );
  expect(failedChecks).toContainEqual(expect.stringMatching(/^solar: units have no bundesland: /));
});

describe('the way back to a good version', () => {
  it('works step by step: refused, inspected, forced, and compared with what was forced', async () => {
    const copy = anotherWarehouse();
    const nameless = (content: RegisterExport) => {
      for (const row of content.of('Marktakteure').records) delete row.Firmenname;
    };
    const fault = 'Marktakteure: organisations have no Firmenname: 801 of 801, 100.0 %; allowed are 1.0 %, or 20 more';
    const built = await ingestHere(copy, ['build', written(nameless)]);
    expect(built.code).toBe(3);
    expect(built.out).toContain('  check names: Firmenname 801 of 801\n');
    expect(built.out).toContain('npm run ingest -- publish 20261102-0002 --force');
    expect((await ingestHere(copy, ['report', '20261102-0002'])).out).toContain(`FAILED ${fault}\n`);
    expect((await ingestHere(copy, ['versions'])).out).toMatch(
      /20261102-0002 .* not published: .*organisations have no/,
    );
    expect((await ingestHere(copy, ['status'])).out).toContain('Served: 20261101-0001');

    expect((await ingestHere(copy, ['publish', '20261102-0002', '--force'])).code).toBe(0);
    expect((await ingestHere(copy, ['status'])).out).toMatch(/forced in spite of: .*organisations have no Firmenname/);
    expect(readReport(copy, '20261102-0002')?.failedChecks).toEqual(currentPublication(copy)?.forced);

    // A forced version counts from then on: the same again is no news, and names that come back stop nothing.
    expect((await ingestHere(copy, ['build', written(nameless, '2026-11-03')])).code).toBe(0);
    expect((await ingestHere(copy, ['build', written(() => {}, '2026-11-04')])).code).toBe(0);
    expect(currentPublication(copy)).not.toHaveProperty('forced');
  });
});
