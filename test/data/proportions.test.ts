import { beforeAll, describe, expect, it } from 'vitest';
import { STORAGE } from '../../data/generate/world/carriers.ts';
import { isDeleted } from '../../data/generate/world/deletion.ts';
import { STATES } from '../../data/generate/world/regions.ts';
import { RUNNING } from '../../data/generate/world/status.ts';
import { date } from '../../data/generate/world/text.ts';
import { Unit } from '../../data/generate/world/unit.ts';
import { World } from '../../data/generate/world/world.ts';
import { membersOf, type Row, rowsOf, SAMPLE } from './export.ts';

/**
 * The sample is one 490th of the country: what is said of it here is said in GW of the country. Its figures at the end of 2025 are
 * those of data/reference/README.md; bounds leave room for a year of growth, and for the few units that the sample has.
 */

const COUNTRY = 9_500_000 / 19_400;
const FILES = ['Solar', 'StromSpeicher', 'Verbrennung', 'Wind', 'Biomasse', 'Wasser', 'Kernkraft'] as const;

/** Units in operation, with their gross power scaled to the country, GW. */
interface Running {
  readonly row: Row;
  readonly gw: number;
  readonly state: string;
  readonly year: number;
}

const running = new Map<(typeof FILES)[number], Running[]>();
let energyGwh = 0;
let pumpedGwh = 0;

beforeAll(async () => {
  const members = await membersOf(SAMPLE);
  for (const kind of FILES) {
    const rows = rowsOf(members, `Einheiten${kind}`).filter((row) => row.EinheitBetriebsstatus === '35');
    running.set(
      kind,
      rows.map((row) => ({
        row,
        gw: (Number(row.Bruttoleistung) * COUNTRY) / 1e6,
        state: STATES.get(Number(row.Bundesland))!.name,
        year: Number(row.Inbetriebnahmedatum?.slice(0, 4)),
      })),
    );
  }
  const pumped = new Set(
    of('StromSpeicher', ({ row }) => row.Technologie === '1537').map(({ row }) => row.SpeMastrNummer),
  );
  const inOperation = new Set(of('StromSpeicher').map(({ row }) => row.SpeMastrNummer));
  for (const { MaStRNummer, NutzbareSpeicherkapazitaet } of rowsOf(members, 'AnlagenStromSpeicher')) {
    const gwh = (Number(NutzbareSpeicherkapazitaet) * COUNTRY) / 1e6;
    if (pumped.has(MaStRNummer)) pumpedGwh += gwh;
    else if (inOperation.has(MaStRNummer)) energyGwh += gwh;
  }
});

const of = (kind: (typeof FILES)[number], where: (unit: Running) => boolean = () => true) =>
  running.get(kind)!.filter(where);
const sum = (units: readonly Running[]): number => units.reduce((total, { gw }) => total + gw, 0);

function expectWithin(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThan(least);
  expect(value).toBeLessThan(most);
}

const isAtSea = ({ state }: Running): boolean => state === 'Ausschließliche Wirtschaftszone';

describe('the sample, scaled to the country', () => {
  it('has the power of each carrier', () => {
    expectWithin(sum(of('Solar')), 105, 140);
    expectWithin(sum(of('Wind', (unit) => !isAtSea(unit))), 62, 82);
    expectWithin(sum(of('Wind', isAtSea)), 7, 14);
    expectWithin(sum(of('Biomasse')), 7.5, 10.5);
    expectWithin(sum(of('Wasser')), 4.5, 7);
    expectWithin(sum(of('Verbrennung')), 65, 95);
    expect(sum(of('Kernkraft'))).toBe(0);
  });

  it('has the power and energy of storage', () => {
    const isPumped = ({ row }: Running): boolean => row.Technologie === '1537';
    expectWithin(sum(of('StromSpeicher', (unit) => !isPumped(unit))), 13, 21);
    expectWithin(sum(of('StromSpeicher', isPumped)), 4.5, 9);
    expectWithin(energyGwh, 22, 38);
    expectWithin(pumpedGwh, 25, 60);
  });

  it('has much sun in Bavaria, and most wind in the north', () => {
    const solar = (name: string) => sum(of('Solar', ({ state }) => state === name));
    const wind = (name: string) => sum(of('Wind', ({ state }) => state === name));
    expectWithin(solar('Bayern') / sum(of('Solar')), 0.2, 0.32);
    for (const name of ['Baden-Württemberg', 'Nordrhein-Westfalen', 'Niedersachsen'])
      expectWithin(solar(name) / sum(of('Solar')), 0.07, 0.17);
    const north = wind('Niedersachsen') + wind('Schleswig-Holstein') + wind('Brandenburg');
    expectWithin(north / sum(of('Wind', (unit) => !isAtSea(unit))), 0.4, 0.6);
    expect(wind('Niedersachsen')).toBe(Math.max(...[...STATES.values()].map(({ name }) => wind(name))));
    expect(wind('Berlin')).toBeLessThan(0.1);
  });

  it('has most power stations in North Rhine-Westphalia, most hydro power in Bavaria', () => {
    const share = (kind: 'Verbrennung' | 'Wasser' | 'Biomasse', name: string) =>
      sum(of(kind, ({ state }) => state === name)) / sum(of(kind));
    expectWithin(share('Verbrennung', 'Nordrhein-Westfalen'), 0.25, 0.45);
    expect(share('Wasser', 'Bayern')).toBeGreaterThan(0.4);
    expectWithin(share('Biomasse', 'Bayern') + share('Biomasse', 'Niedersachsen'), 0.3, 0.65);
  });

  it('has turbines at sea in the waters alone, and none of other carriers there', () => {
    for (const unit of of('Wind')) expect(isAtSea(unit)).toBe(unit.row.WindAnLandOderAufSee === '889');
    for (const kind of FILES) if (kind !== 'Wind') expect(of(kind, isAtSea)).toEqual([]);
  });

  it('has many balcony units of little power, and most power in few large units', () => {
    const solar = of('Solar');
    const balcony = of('Solar', ({ row }) => row.ArtDerSolaranlage === '2961');
    expectWithin(balcony.length / solar.length, 0.17, 0.3);
    expect(sum(balcony) / sum(solar)).toBeLessThan(0.04);
    const large = solar.filter(({ row }) => Number(row.Bruttoleistung) > 100);
    expect(large.length / solar.length).toBeLessThan(0.04);
    expectWithin(sum(large) / sum(solar), 0.45, 0.7);
  });

  it('has the booms of solar power, and the wind of the years from 2000 to 2017', () => {
    const added = (kind: 'Solar' | 'Wind', from: number, to: number) =>
      sum(of(kind, ({ year }) => year >= from && year <= to));
    expectWithin(added('Solar', 2010, 2012), 14, 28);
    expectWithin(added('Solar', 2013, 2018), 8, 18);
    expectWithin(added('Solar', 2022, 2025), 45, 75);
    expectWithin(added('Wind', 2000, 2017), 30, 60);
  });
});

it('has these proportions in a larger world, too', () => {
  const day = date(2026, 11, 1);
  const world = new World({ seed: 5, units: 190_000, firstDay: day, day });
  const unit = new Unit(world);
  let gw = 0;
  for (let index = 0; index < world.counts[STORAGE]!; index++) {
    if (isDeleted(world, STORAGE, index)) continue;
    unit.load(STORAGE, index);
    if (unit.status === RUNNING) gw += (unit.gross * 50) / 1e6;
  }
  expectWithin(gw, 18, 34);
});
