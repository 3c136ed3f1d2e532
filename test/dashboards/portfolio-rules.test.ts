import { describe, expect, test } from 'vitest';
import { batchesOf, inverseOf } from '../../dashboards/web/pages/portfolio/change.ts';
import { isEnding } from '../../dashboards/web/pages/portfolio/ending.ts';
import { outcomeText } from '../../dashboards/web/pages/portfolio/outcomes.ts';
import { readPasted } from '../../dashboards/web/pages/portfolio/pasted.ts';
import type { PortfolioUnit } from '../../dashboards/web/pages/portfolio/use-portfolio.ts';
import { ROLES, roleName } from '../../dashboards/web/units/roles.ts';
import type { PortfolioEntry, WrittenRow } from '../../dashboards/web/v1/organisation-answers.ts';
import { RELATION_TYPES } from '../../sql/org/records/portfolio.ts';

/** Rules of the page of the portfolio that need no browser. */

const unit = (nr: number): string => `SEE9${String(nr).padStart(11, '0')}`;

describe('a pasted text', () => {
  test('is searched for numbers of units, whatever stands between them', () => {
    const text = `Anlage\tNummer\tkW\nPark\t${unit(1)}\t750,5\n"Dach";"see900 000 000 002";9,9\n(${unit(3)}), SEE-${unit(4).slice(3)}`;
    expect(readPasted(text)).toEqual({ numbers: [1, 2, 3, 4].map(unit), repeated: [], faulty: [], roles: new Map() });
  });

  test('may have a number several times: it counts once, and is named', () => {
    expect(readPasted(`${unit(1)} ${unit(2)} ${unit(1).toLowerCase()}`)).toEqual({
      numbers: [unit(1), unit(2)],
      repeated: [unit(1)],
      faulty: [],
      roles: new Map(),
    });
  });

  test('may have roles: in a column that is headed so, or as a cell that is the name of one', () => {
    const table = `MaStR\tRolle\tName\n${unit(1)}\tEigentümer\tPark\n${unit(2)}\tDIRECT_MARKETING\tBetreiber\n${unit(3)}\t\tX\n${unit(4)}\tChef\tY`;
    const { roles, faulty, numbers } = readPasted(table);
    expect(numbers).toEqual([1, 2, 3, 4].map(unit));
    expect([...roles]).toEqual([
      [unit(1), 'OWNER'],
      [unit(2), 'DIRECT_MARKETING'],
    ]);
    expect(faulty).toEqual([{ text: 'Chef', why: 'steht in der Spalte der Rollen, ist aber keine' }]);
    expect([...readPasted(`${unit(1)};"Betreiber";x\n${unit(2)} Betreiber, sonst nichts`).roles]).toEqual([
      [unit(1), 'OPERATOR'],
    ]);
    expect(readPasted(`${unit(1)}\tInvestor\n${unit(1)}\tPacht`).roles.get(unit(1))).toBe('INVESTOR');
  });

  test('is told what is no number of a unit, and why; other words do not matter', () => {
    const { numbers, faulty } = readPasted(
      `SEE90000000001 SEE9000000000012 EEG900000000001 ABR900000000001 900000000001 Tel 030123456 ABC123456789012 49,5 kW`,
    );
    expect(numbers).toEqual([]);
    expect(faulty).toEqual([
      { text: 'SEE90000000001', why: 'hat 11 statt 12 Ziffern' },
      { text: 'SEE9000000000012', why: 'hat 13 statt 12 Ziffern' },
      { text: 'EEG900000000001', why: 'Nummer einer EEG-Anlage, keiner Einheit' },
      { text: 'ABR900000000001', why: 'Nummer eines Anlagenbetreibers, keiner Einheit' },
      { text: '900000000001', why: 'ohne die Buchstaben SEE davor' },
    ]);
  });

  test('does not take two numbers in neighbouring cells for one', () => {
    expect(readPasted(`${unit(1)}\t12 500\n${unit(2)} 2024`).numbers).toEqual([unit(1), unit(2)]);
  });

  test('of a megabyte is read at once', () => {
    const text = Array.from({ length: 60_000 }, (_, nr) => unit(nr)).join('\n');
    expect(readPasted(text).numbers).toHaveLength(60_000);
    expect(readPasted('SEE '.repeat(300_000)).numbers).toEqual([]);
  });
});

test('a preview names what becomes of each row, the former role beside the new one', () => {
  const entry = (nr: number, relationType: string, entferntAm: string | null = null): [string, PortfolioEntry] => [
    unit(nr),
    { id: '', mastrNummer: unit(nr), relationType, externalRefs: {}, angelegtAm: '', geaendertAm: '', entferntAm },
  ];
  const former = new Map([entry(1, 'OPERATOR'), entry(2, 'OWNER', '2026-01-01T00:00:00Z')]);
  const said = (nr: number, status: string): string =>
    outcomeText({ id: null, externalId: unit(nr), status }, former, () => 'OWNER');
  expect([
    said(1, 'updated'),
    said(2, 'updated'),
    said(3, 'created'),
    said(4, 'updated'),
    said(1, 'unchanged'),
  ]).toEqual([
    'Rolle wird geändert: Betreiber → Eigentümer',
    'wird wieder aufgenommen: Eigentümer',
    'wird hinzugefügt: Eigentümer',
    'wird geändert oder wieder aufgenommen: Eigentümer',
    'ist schon so eingetragen',
  ]);
});

test('support that ends within 24 months is that of units that could still run', () => {
  const ends = (eegFoerderende: string | null, betriebsStatus = 'In Betrieb'): boolean =>
    isEnding({ eegFoerderende, betriebsStatus } as PortfolioUnit, '2026-11-01');
  expect(['2026-10-31', '2026-11-01', '2028-11-01', '2028-11-02', null].map((end) => ends(end))).toEqual([
    ...[false, true, true, false, false],
  ]);
  expect([ends('2027-01-01', 'In Planung'), ends('2027-01-01', 'Endgültig stillgelegt')]).toEqual([false, false]);
  expect(isEnding(undefined, '2026-11-01')).toBe(false);
});

test('every role of the interface has a German name', () => {
  expect(ROLES).toEqual(RELATION_TYPES);
  for (const role of RELATION_TYPES) expect(roleName(role)).not.toBe(role);
});

test('a change is sent in batches of 500 rows, each with a key of its own, additions first', () => {
  const numbers = Array.from({ length: 501 }, (_, nr) => unit(nr));
  const entries = numbers.map((mastrNummer) => ({ mastrNummer, relationType: 'OWNER' }));
  const batches = batchesOf({ entries, removals: [unit(1)] }, { dryRun: true });
  expect(batches.map(({ size, request: { method = 'POST', query } }) => ({ size, method, query }))).toEqual([
    { size: 500, method: 'POST', query: { dryRun: true } },
    { size: 1, method: 'POST', query: { dryRun: true } },
    { size: 1, method: 'DELETE', query: { dryRun: true } },
  ]);
  expect(new Set(batches.map(({ key }) => key)).size).toBe(3);
});

describe('taking a change back', () => {
  const row = (nr: number, status: string): WrittenRow => ({ id: null, externalId: unit(nr), status });
  const entry = (nr: number, relationType: string, entferntAm: string | null = null): PortfolioEntry => ({
    ...{ id: String(nr), mastrNummer: unit(nr), relationType, externalRefs: {}, angelegtAm: '', geaendertAm: '' },
    entferntAm,
  });
  const before = new Map([entry(2, 'OWNER'), entry(3, 'LESSOR', '2026-01-01')].map((one) => [one.mastrNummer, one]));
  const asOperator = [1, 2, 3, 4, 5].map((nr) => ({ mastrNummer: unit(nr), relationType: 'OPERATOR' }));
  const rows = [row(1, 'created'), row(2, 'updated'), row(3, 'updated'), row(4, 'unchanged'), row(5, 'failed')];

  test('removes what was added, restores roles, and removes again what was removed before', () => {
    const change = { entries: asOperator, removals: [] };
    expect(inverseOf(change, rows, { entries: before, isComplete: true })).toEqual({
      entries: [
        { mastrNummer: unit(2), relationType: 'OWNER' },
        { mastrNummer: unit(3), relationType: 'LESSOR' },
      ],
      removals: [unit(1), unit(3)],
      lost: 0,
    });
  });

  test('says how many entries it cannot restore, because they were not loaded', () => {
    const change = { entries: asOperator, removals: [] };
    const changed = [row(4, 'updated')];
    expect(inverseOf(change, changed, { entries: before, isComplete: false })).toEqual({
      ...{ entries: [], removals: [] },
      lost: 1,
    });
    expect(inverseOf(change, changed, { entries: before, isComplete: true })).toEqual({
      ...{ entries: [], removals: [unit(4)] },
      lost: 0,
    });
  });

  test('adds removed entries again, in their role', () => {
    const change = { entries: [], removals: [unit(2), unit(4)] };
    const removed = [row(2, 'updated'), row(4, 'unchanged')];
    expect(inverseOf(change, removed, { entries: before, isComplete: true })).toEqual({
      entries: [{ mastrNummer: unit(2), relationType: 'OWNER' }],
      ...{ removals: [], lost: 0 },
    });
  });
});
