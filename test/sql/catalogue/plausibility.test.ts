import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  anomaliesExpression,
  anomaliesIn,
  anomaliesJson,
  BESIDE_NAMES,
  CONSPICUOUS,
  proposalsExpression,
  RULE_IDS,
  ruleBits,
  WRITTEN_RULES,
} from '../../../sql/catalogue/anomalies.ts';
import { RULES, type RuleId } from '../../../sql/catalogue/plausibility.ts';
import { BESIDE, type Rule } from '../../../sql/catalogue/rule.ts';
import { READABLE_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { duckdbUnitColumns } from '../../../sql/warehouse/duckdb/columns.ts';
import { CASES, type Unit } from './plausibility-cases.ts';

/** The rules of plausibility, each at its bounds, on an export of 2026-11-01. */

interface Found {
  readonly mask: bigint | null;
  readonly proposals: string | null;
  readonly json: string;
}

const roof: Unit = { einheitTyp: 'solar', solarLageId: 853 };

/** Units with the values that are plainly meant instead of theirs. */
const PROPOSED: readonly (readonly [what: string, unit: Unit, proposed: readonly string[]])[] = [
  [
    'watts, as 288 modules of 415 W say and the net capacity',
    { ...roof, solarAnzahlModule: 288, bruttoleistungKw: 119_520, nettonennleistungKw: 100 },
    ['bruttoleistungKw 119.52'],
  ],
  [
    'watts, as no roof is so large',
    { ...roof, solarAnzahlModule: 288, bruttoleistungKw: 119_520, nettonennleistungKw: 119_520 },
    ['bruttoleistungKw 119.52'],
  ],
  [
    'the power of one module',
    { ...roof, solarAnzahlModule: 20, bruttoleistungKw: 400, nettonennleistungKw: 8 },
    ['bruttoleistungKw 8'],
  ],
  [
    'nothing, as the number of modules may be wrong',
    { einheitTyp: 'solar', solarAnzahlModule: 1, bruttoleistungKw: 750, nettonennleistungKw: 750 },
    [],
  ],
  [
    'watts and watt-hours of a home storage',
    { ...CASES.speicher_privat_hoch.applies[0], bruttoleistungKw: 5000, speicherkapazitaetKwh: 10_000 },
    ['speicherkapazitaetKwh 10', 'bruttoleistungKw 5'],
  ],
  [
    'watt-hours of a battery',
    { einheitTyp: 'storage', technologieId: 524, speicherkapazitaetKwh: 12_766.07, speicherdauerStunden: 1501.891 },
    ['speicherkapazitaetKwh 12.766'],
  ],
  [
    'nothing, as megawatts for kilowatts would explain it, too',
    { einheitTyp: 'storage', technologieId: 524, speicherkapazitaetKwh: 500, speicherdauerStunden: 249.999 },
    [],
  ],
  [
    'watts of a small turbine',
    { einheitTyp: 'wind', windRotordurchmesserM: 5, bruttoleistungKw: 6000 },
    ['bruttoleistungKw 6'],
  ],
  [
    'the municipality in which a unit lies, as its town says',
    { bundesland: 'Bayern', landschluessel: '09', abstandGemeindeM: 900, agsAmPunkt: '09162000', ortAmPunkt: true },
    ['gemeindeschluessel 09162000'],
  ],
  ['the key of today', { schluesselStand: 'frueher', schluesselHeute: '16063105' }, ['gemeindeschluessel 16063105']],
  ['no key of today, as the area was divided', { schluesselStand: 'frueher' }, []],
];

const UNITS: readonly Unit[] = [
  {},
  ...Object.values(CASES).flatMap(({ applies, not }) => [...applies, ...not]),
  ...PROPOSED.map(([, unit]) => unit),
];

const found = new Map<Unit, Found>();
beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE units (\n${duckdbUnitColumns()}\n)`);
  const types: Readonly<Record<string, { type: string }>> = BESIDE;
  for (const name of BESIDE_NAMES)
    await connection.run(`ALTER TABLE units ADD COLUMN ${name} ${types[name]?.type ?? 'VARCHAR'}`);
  for (const [nummer, unit] of UNITS.entries()) {
    const values = Object.values({ nummer, ...unit }).map((value) =>
      typeof value === 'string' ? `'${value}'` : value,
    );
    await connection.run(`INSERT INTO units (nummer, ${Object.keys(unit)}) VALUES (${values})`.replace(', )', ')'));
  }
  const reader = await connection.runAndReadAll(`SELECT mask, proposals, ${anomaliesJson('mask')} AS json FROM (
    SELECT nummer, ${anomaliesExpression('bits')} AS mask, ${proposalsExpression('bits')} AS proposals
    FROM (SELECT *, ${ruleBits('2026-11-01')} AS bits FROM units)) ORDER BY nummer`);
  for (const [place, row] of reader.getRowObjectsJS().entries()) found.set(UNITS[place]!, row as unknown as Found);
  connection.closeSync();
  instance.closeSync();
});

const anomaliesOf = (unit: Unit) => anomaliesIn(Number(found.get(unit)!.mask ?? 0));

const idsOf = (unit: Unit): RuleId[] => anomaliesOf(unit).map(({ regel }) => regel);

describe.each(RULE_IDS)('%s', (id) => {
  test.each(CASES[id].applies)('applies to %j', (unit) => expect(idsOf(unit)).toContain(id));
  test.each(CASES[id].not)('does not apply to %j', (unit) => expect(idsOf(unit)).not.toContain(id));
});

test('of a unit that says nothing, nothing is conspicuous', () => {
  expect(found.get(UNITS[0]!)).toEqual({ mask: null, proposals: null, json: '[]' });
});

test('a rule above hinweis makes a unit conspicuous; hinweise alone do not', () => {
  const seen = new Set<boolean>();
  for (const id of RULE_IDS) {
    const unit = CASES[id].applies[0]!;
    const { mask, json } = found.get(unit)!;
    const isConspicuous = Number(mask) >= CONSPICUOUS;
    expect(isConspicuous).toBe(anomaliesOf(unit).some(({ schwere }) => schwere !== 'hinweis'));
    expect(JSON.parse(json)).toEqual(anomaliesOf(unit));
    seen.add(isConspicuous);
  }
  expect(seen).toEqual(new Set([true, false]));
});

test.each(PROPOSED)('the value that is meant stands beside: %s', (_, unit, proposed) => {
  const proposals = JSON.parse(found.get(unit)!.proposals ?? '[]') as Record<string, string | number>[];
  for (const { begruendung, reason } of proposals) expect(reason).not.toBe(begruendung);
  expect(proposals.map(({ feld, wert }) => `${feld} ${wert}`)).toEqual(proposed);
});

test('rules compare fields that can be read, each has a bit of its own, and texts have their bounds', () => {
  const rules: readonly Rule[] = Object.values(RULES);
  const readable = READABLE_FIELDS.map(({ name }) => name);
  for (const { fields, proposals = [] } of rules)
    for (const name of [...fields, ...proposals.map(({ field }) => field)]) expect(readable).toContain(name);
  for (const { description, english, source, sourceInEnglish } of WRITTEN_RULES) {
    expect(`${description} ${english}`).not.toContain('$');
    expect(sourceInEnglish).not.toBe(source);
  }
  expect(new Set(rules.map(({ bit }) => bit)).size).toBe(rules.length);
  expect(Math.max(...rules.map(({ bit }) => bit))).toBeLessThan(52);
});
