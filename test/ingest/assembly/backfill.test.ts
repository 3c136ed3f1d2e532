import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backfill } from '../../../ingest/build/backfill.ts';
import { BuildRefused } from '../../../ingest/run/build-refused.ts';
import { signalMask } from '../../../sql/catalogue/signals.ts';
import { currentPublication, listVersions } from '../../../sql/warehouse/versions.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryServed, served, strayFiles, withDefaults } from '../../support/warehouse.ts';

const folder = folderOfTests();

afterAll(() => folder.remove());

const written = (name: string, day: string, content: RegisterExport): string =>
  content.write(join(folder.path, name), day);

describe('an export older than what is served', () => {
  const warehouse = join(folder.path, 'older');
  const tag = (text: string): Date => new Date(`${text}T00:00:00Z`);
  let planned: string;
  let running: string;
  let older: string;
  let present: RegisterExport;

  beforeAll(async () => {
    present = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
    present.shorten(8, 'EinheitenWind');
    const wind = present.of('EinheitenWind').records.filter((one) => one.EinheitSystemstatus === '472');
    const gone = new Set(present.of('GeloeschteUndDeaktivierteEinheiten').records.map((one) => one.EinheitMastrNummer));
    const [first, second] = wind.filter((one) => !gone.has(one.EinheitMastrNummer)) as [Row, Row];
    planned = first.EinheitMastrNummer!;
    running = second.EinheitMastrNummer!;
    const set = (content: RegisterExport, number: string, values: Row, drop: readonly string[]) => {
      const one = content.of('EinheitenWind').records.find(({ EinheitMastrNummer }) => EinheitMastrNummer === number)!;
      for (const name of drop) delete one[name];
      Object.assign(one, values);
    };
    const past = present.copy();
    set(present, planned, { GeplantesInbetriebnahmedatum: '2027-06-01', Registrierungsdatum: '2026-03-03' }, [
      'Inbetriebnahmedatum',
    ]);
    set(present, running, { Inbetriebnahmedatum: '2026-10-20', Registrierungsdatum: '2026-10-21' }, [
      'GeplantesInbetriebnahmedatum',
    ]);
    set(past, planned, { GeplantesInbetriebnahmedatum: '2027-01-01', Registrierungsdatum: '2026-02-02' }, [
      'Inbetriebnahmedatum',
    ]);
    set(past, running, { GeplantesInbetriebnahmedatum: '2026-09-15', Registrierungsdatum: '2025-05-05' }, [
      'Inbetriebnahmedatum',
    ]);
    older = written('older-0', '2026-10-01', past);
    await buildIn(warehouse, written('older-1', '2026-11-01', present));
  });

  it('is refused with exit code 5, and the message names --backfill', async () => {
    const before = await served(warehouse);
    const result = await ingestHere(warehouse, ['build', older, '--force']);
    expect(result.code).toBe(5);
    expect(result.err).toContain(
      'The export is of 2026-10-01, older than the version served (20261101-0001, of 2026-11-01). --backfill takes',
    );
    expect(await served(warehouse)).toEqual(before);
  });

  it('adds its history by --backfill without publishing anything', async () => {
    const pointer = currentPublication(warehouse);
    const result = await ingestHere(warehouse, ['build', older, '--backfill', '--json']);
    expect(result.code).toBe(0);
    const event = JSON.parse(result.out.trimEnd().split('\n').at(-1)!) as object;
    expect(event).toMatchObject({ event: 'backfilled', exportDay: '2026-10-01' });
    expect(currentPublication(warehouse)).toEqual(pointer);
    expect(listVersions(warehouse)).toHaveLength(1);
    expect(existsSync(join(warehouse, 'history/2026-10-01.parquet'))).toBe(true);
    expect(strayFiles(warehouse)).toEqual([]);
    const [row] = await queryServed(warehouse, `FROM units WHERE mastrNummer = '${planned}'`);
    expect(row).toMatchObject({ ersterPlantag: tag('2027-06-01') });
  });

  it('its history arrives with the next build, and stays in those after it', async () => {
    for (const day of ['2026-11-02', '2026-11-03']) {
      const { report } = await buildIn(warehouse, written('older-2', day, present));
      expect(report.historyDays).toEqual(['2026-10-01']);
      const [one] = await queryServed(warehouse, `FROM units WHERE mastrNummer = '${planned}'`);
      expect(one).toMatchObject({
        ersterPlantag: tag('2027-01-01'),
        ersterPlantagVom: tag('2026-10-01'),
        letzterPlantag: tag('2027-06-01'),
        // It is planned since, and its row stays as it was.
        letzterPlantagVom: tag('2026-11-01'),
        ersteRegistrierung: tag('2026-02-02'),
        registrierungsdatum: tag('2026-03-03'),
        // Of the unit itself nothing has changed, but its shift is known now, and so it has gained a signal.
        signals: signalMask(['inbetriebnahme_verschoben']),
        inhaltSeit: 2,
      });
      const [two] = await queryServed(warehouse, `FROM units WHERE mastrNummer = '${running}'`);
      expect(two).toMatchObject({
        geplantesInbetriebnahmedatum: null,
        ersterPlantag: tag('2026-09-15'),
        letzterPlantag: tag('2026-09-15'),
        letzterPlantagVom: tag('2026-10-01'),
        ersteRegistrierung: tag('2025-05-05'),
      });
    }
  });

  it('--backfill refuses an export that is not older, and one when nothing is served', async () => {
    const again = written('older-2', '2026-11-03', present);
    await expect(backfill(withDefaults(warehouse, again))).rejects.toThrow(
      '--backfill is for exports older than the version served (of 2026-11-03); this one is of 2026-11-03.',
    );
    await expect(backfill(withDefaults(join(folder.path, 'blank'), older))).rejects.toThrow(BuildRefused);
  });
});
