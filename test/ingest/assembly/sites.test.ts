import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carriersIn } from '../../../sql/catalogue/carriers.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';

/** What stands beside a unit: at its location, and at its connection point. */

const DECOMMISSIONED = '38';

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
let register: RegisterExport;
const unit: Record<string, string> = {};

const location = (place: number): string => `SEL98000000000${place}`;

/** Lets a unit of the export stand at a location, and remembers its number. */
function stands(name: string, kind: string, at: number, place: number, EinheitBetriebsstatus = '35'): void {
  const record = register.of(kind).records[at]!;
  Object.assign(record, { LokationMaStRNummer: location(place), EinheitBetriebsstatus, EinheitSystemstatus: '472' });
  unit[name] = record.EinheitMastrNummer!;
}

const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].values();
async function build(): Promise<void> {
  const day = days.next().value!;
  await buildIn(warehouse, register.write(join(folder.path, day), day), { force: true });
}

async function row(name: string) {
  const [found] = await queryServed<{ site: number | null; point: number | null; inhaltSeit: number }>(
    warehouse,
    `SELECT standortEnergietraeger AS site, netzanschlussEnergietraeger AS point, inhaltSeit
     FROM units WHERE mastrNummer = '${unit[name]}'`,
  );
  const carriers = (mask: number | null) => (mask === null ? null : carriersIn(mask).join(' '));
  return { site: carriers(found!.site), point: carriers(found!.point), inhaltSeit: found!.inhaltSeit };
}

const siteOf = async (name: string): Promise<string | null> => (await row(name)).site;
const pointOf = async (name: string): Promise<string | null> => (await row(name)).point;

beforeAll(async () => {
  register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
  register.shorten(12);
  stands('roof', 'EinheitenSolar', 0, 1);
  stands('battery beside it', 'EinheitenStromSpeicher', 0, 1);
  stands('roof that is gone', 'EinheitenSolar', 1, 1, DECOMMISSIONED);
  stands('turbine that was alone and is gone', 'EinheitenWind', 0, 2, DECOMMISSIONED);
  stands('turbine that was replaced', 'EinheitenWind', 1, 3, DECOMMISSIONED);
  stands('turbine that replaced it', 'EinheitenWind', 2, 3);
  stands('roof at a shared point', 'EinheitenSolar', 2, 4);
  stands('battery at a shared point', 'EinheitenStromSpeicher', 1, 5);
  stands('roof with a point of its own', 'EinheitenSolar', 3, 6);
  stands('roof beside a deleted battery', 'EinheitenSolar', 4, 7);
  stands('deleted battery', 'EinheitenStromSpeicher', 2, 7);
  register.of('GeloeschteUndDeaktivierteEinheiten').records.push({ EinheitMastrNummer: unit['deleted battery']! });
  const planned = register.of('EinheitenSolar').records[5]!;
  delete planned.LokationMaStRNummer;
  unit['roof without location'] = planned.EinheitMastrNummer!;
  const point = (number: string): Row => ({ NetzanschlusspunktMastrNummer: number, Spannungsebene: '354' });
  register
    .of('Netzanschlusspunkte')
    .records.push(point('SAN980000000001'), { ...point('SAN980000000002'), LokationMaStRNummer: location(6) });
  register.of('Lokationen').records.push(
    { MastrNummer: location(4), NetzanschlusspunkteMaStRNummern: 'SAN980000000001' },
    { MastrNummer: location(5), NetzanschlusspunkteMaStRNummern: 'SAN980000000001' },
    // The point names its own location, which counts.
    { MastrNummer: location(1), NetzanschlusspunkteMaStRNummern: 'SAN980000000002' },
  );
  await build();
});

afterAll(() => folder.remove());

describe('at a location', () => {
  it.each(['roof', 'battery beside it', 'roof that is gone'])('%s: what stands there, itself included', async (name) =>
    expect(await siteOf(name)).toBe('solar storage'),
  );

  it('finally decommissioned units do not count', async () => {
    expect(await siteOf('turbine that was alone and is gone')).toBeNull();
    expect(await siteOf('turbine that was replaced')).toBe('wind');
    expect(await siteOf('turbine that replaced it')).toBe('wind');
  });

  it('units that are not served do not count', async () =>
    expect(await siteOf('roof beside a deleted battery')).toBe('solar'));

  it('a unit without location has no set', async () => expect(await siteOf('roof without location')).toBeNull());
});

describe('at a connection point', () => {
  it('is what stands at every location whose point it is', async () => {
    expect(await siteOf('roof at a shared point')).toBe('solar');
    expect(await pointOf('roof at a shared point')).toBe('solar storage');
    expect(await pointOf('battery at a shared point')).toBe('solar storage');
  });

  it('is what stands at its location where no other has the point', async () =>
    expect(await pointOf('roof with a point of its own')).toBe('solar'));

  it('is nothing where the location has no point', async () => expect(await pointOf('roof')).toBeNull());
});

describe('from one night to the next', () => {
  it('a unit has changed when another carrier comes to its location or goes, and not by a second unit of one', async () => {
    const first = await row('turbine that replaced it');
    stands('battery at the turbine', 'EinheitenStromSpeicher', 3, 3);
    await build();
    expect(await row('turbine that replaced it')).toEqual({ ...first, site: 'wind storage', inhaltSeit: 2 });
    stands('second battery at the turbine', 'EinheitenStromSpeicher', 4, 3);
    await build();
    expect(await row('turbine that replaced it')).toMatchObject({ site: 'wind storage', inhaltSeit: 2 });
    for (const at of [3, 4]) stands('gone', 'EinheitenStromSpeicher', at, 3, DECOMMISSIONED);
    await build();
    expect(await row('turbine that replaced it')).toMatchObject({ site: 'wind', inhaltSeit: 4 });
  });
});
