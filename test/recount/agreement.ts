import { anomaliesIn } from '../../sql/catalogue/anomalies.ts';
import { STORED_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { REGISTER_FIELDS } from '../../sql/register/fields.ts';
import type { Tables } from '../support/built.ts';
import { differences } from '../support/differences.ts';
import { unitRows } from '../support/unit-rows.ts';
import { anomaliesByUnit } from './anomalies.ts';
import { type Recount, type RecountedUnit, recountedRows } from './recount.ts';
import { SUPPORT_FIELDS } from './support.ts';

/** Returns a readable line for each difference between a version and a recount of the same export. */

type Disagreements = (tables: Tables, counted: Recount) => Promise<string[]>;

/** Every stored field of every unit; support values of those units of which they are recounted. */
export const inUnits: Disagreements = async (tables, counted) => {
  const expected = recountedRows(counted);
  const rows = await unitRows(tables);
  return differences(expected, new Map([...rows].map(([number, row]) => [number, asFarAs(row, expected.get(number))])));
};

const isSupport = (name: string): boolean => SUPPORT_FIELDS.some((field) => field === name);

const asFarAs = (row: Readonly<Record<string, unknown>>, recounted: object | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => !isSupport(name) || recounted === undefined || name in recounted),
  );

/** The rules of plausibility that apply to every unit, and the values that are meant instead of its own. */
export const inAnomalies =
  (day: string): Disagreements =>
  async (tables, counted) => {
    const told = anomaliesByUnit(counted, day);
    const rows = await tables<{ number: string; mask: number | null; meant: string | null }>(
      'SELECT mastrNummer AS number, auffaelligkeiten::DOUBLE AS mask, vorschlag AS meant FROM units',
    );
    const expected = [...told].map(([number, { rules, meant }]) => [
      number,
      { rules: rules.toSorted().join(), meant: meant.map(String).sort().join(' ') },
    ]) as [string, unknown][];
    const built = rows.map(({ number, mask, meant }) => [
      number,
      {
        rules: anomaliesIn(mask ?? 0)
          .map(({ regel }) => regel)
          .sort()
          .join(),
        meant: (JSON.parse(meant ?? '[]') as { feld: string; wert: number | string; regel: string }[])
          .map(({ feld, wert, regel }) => String([feld, wert, regel]))
          .sort()
          .join(' '),
      },
    ]) as [string, unknown][];
    return differences(new Map(expected), new Map(built));
  };

/** Records of every member, and those refused. */
export const inMembers: Disagreements = async (tables, counted) => {
  const rows = await tables('SELECT datei, bytes, gelesen, abgelehnt FROM dateien');
  const actual = rows.map(({ datei, bytes, gelesen, abgelehnt }) => [
    String(datei),
    { bytes: Number(bytes), gelesen: Number(gelesen), abgelehnt: Number(abgelehnt) },
  ]) as [string, unknown][];
  const expected = counted.members.map(({ name, bytes, rows: whole, refused }) => [
    name,
    { bytes, gelesen: whole.length + refused, abgelehnt: refused + (counted.withoutKey.get(name) ?? 0) },
  ]) as [string, unknown][];
  return differences(new Map(expected), new Map(actual));
};

/** Files of the tables of a recount, as a pattern. */
const KINDS: Readonly<Record<string, string>> = {
  units: 'Einheiten(Wind|Solar|StromSpeicher|Biomasse|Wasser|Geothermie.*|Verbrennung|Kernkraft)',
  eeg: 'AnlagenEeg.*',
  kwk: 'AnlagenKwk',
  storage: 'AnlagenStromSpeicher',
  permits: 'EinheitenGenehmigung',
  locations: 'Lokationen',
  deleted: 'GeloeschteUndDeaktivierteEinheiten',
  actors: 'Marktakteure',
  points: 'Netzanschlusspunkte',
  areas: 'Bilanzierungsgebiete',
};

/** Records that were loaded: as many as there are different keys. */
export const inKeys: Disagreements = async (tables, counted) => {
  const loaded = new Map<string, unknown>();
  for (const [name, pattern] of Object.entries(KINDS)) {
    const [row] = await tables(`SELECT sum(geladen) AS n FROM dateien WHERE regexp_full_match(art, '${pattern}')`);
    loaded.set(name, Number(row!.n));
  }
  return differences(new Map(Object.entries(counted.keys)), loaded);
};

/** Counts each finding by element and kind of file. */
export const inFindings: Disagreements = async (tables, counted) => {
  const rows = await tables(
    `SELECT befund || '|' || art || '|' || coalesce(feld, '') AS key, sum(anzahl) AS n FROM befunde GROUP BY ALL`,
  );
  const actual = new Map(rows.map(({ key, n }) => [String(key), Number(n)]));
  return differences(new Map([...counted.findings, ...unknownElements(counted)]), actual);
};

const KNOWN = new Set(REGISTER_FIELDS.map(({ file, field }) => `${file}.${field}`));
const CATALOGUES = /^(Katalog.*|Einheitentypen|Lokationstypen|Marktfunktionen|Marktrollen)$/;

/** Elements that the field table does not have, in files whose records are used or counted. */
function unknownElements({ members }: Recount): Map<string, number> {
  const found = new Map<string, number>();
  for (const { kind, rows } of members) {
    if (CATALOGUES.test(kind)) continue;
    for (const element of rows.flatMap((row) => Object.keys(row))) {
      const key = `element_unbekannt|${kind}|${element}`;
      if (!KNOWN.has(`${kind}.${element}`)) found.set(key, (found.get(key) ?? 0) + 1);
    }
  }
  return found;
}

/** Names of organisations, and of nobody else. */
export const inOrganisations: Disagreements = async (tables, counted) => {
  const rows = await tables('SELECT mastrNummer, name FROM marktakteure WHERE name IS NOT NULL');
  return differences(counted.organisations, new Map(rows.map(({ mastrNummer, name }) => [String(mastrNummer), name])));
};

/** The days of all units, place by place, state by state, and of the country. */
export const inRollups: Disagreements = async (tables, { units }) => {
  const places = await tables(`
    SELECT serie, bundesland, landkreis, gemeinde, gemeindeschluessel, plz, einheitTyp, statusId,
      CAST(tag AS VARCHAR) AS tag, anzahl, CAST(kw AS DOUBLE) AS kw, CAST(kwh AS DOUBLE) AS kwh
    FROM region_tage JOIN regionen USING (region)`);
  const states = await tables(`
    SELECT serie, bundesland, einheitTyp, statusId, CAST(tag AS VARCHAR) AS tag, anzahl, CAST(kw AS DOUBLE) AS kw, CAST(kwh AS DOUBLE) AS kwh
    FROM bundesland_tage`);
  const country = await tables(`
    SELECT serie, einheitTyp, statusId, CAST(tag AS VARCHAR) AS tag, anzahl, CAST(kw AS DOUBLE) AS kw, CAST(kwh AS DOUBLE) AS kwh
    FROM deutschland_tage`);
  const inMonths = (table: string) =>
    tables(`SELECT serie, einheitTyp, statusId, CAST(date_trunc('month', tag) AS VARCHAR) AS tag,
      CAST(sum(anzahl) AS DOUBLE) AS anzahl, CAST(sum(kw) AS DOUBLE) AS kw, CAST(sum(kwh) AS DOUBLE) AS kwh FROM ${table} GROUP BY ALL`);
  const all = [...units.values()];
  const byPlace = daysBy(all, ({ fields }) => [
    ...[fields.bundesland, fields.landkreis, fields.gemeinde, fields.gemeindeschluessel, fields.plz],
  ]);
  const byState = daysBy(all, ({ fields }) => [fields.bundesland]);
  return [
    ...differences(byPlace, sumsOf(places)),
    ...differences(byState, sumsOf(states)),
    ...differences(
      daysBy(all, () => []),
      sumsOf(country),
    ),
    ...differences(sumsOf(await inMonths('deutschland_tage')), sumsOf(await inMonths('deutschland_monate'))),
  ];
};

/** Rows of a roll-up, `anzahl`, `kw` and `kwh` last; no two may be of the same series, place, carrier, status and day. */
function sumsOf(rows: readonly Record<string, unknown>[]): Map<string, unknown> {
  const sums = new Map(
    rows.map(({ anzahl, kw, kwh, ...key }) => [JSON.stringify(Object.values(key)), [anzahl, kw, kwh]]),
  );
  if (sums.size !== rows.length) sums.set('more rows than keys', [rows.length - sums.size]);
  return sums;
}

/** Computes the rows of a roll-up as the comments of its table define them. */
function daysBy(units: readonly RecountedUnit[], place: (unit: RecountedUnit) => unknown[]): Map<string, unknown> {
  const sums = new Map<string, [count: number, watts: number, wattHours: number]>();
  for (const unit of units) {
    const { fields, statusId } = unit;
    const { inbetriebnahmedatum: real, geplantesInbetriebnahmedatum: planned, stilllegungsdatum: gone } = fields;
    const add = (serie: string, tag: unknown) => {
      const key = JSON.stringify([serie, ...place(unit), fields.einheitTyp, statusId, tag]);
      const [count, watts, wattHours] = sums.get(key) ?? [0, 0, 0];
      sums.set(key, [
        count + 1,
        watts + Math.round(Number(fields.bruttoleistungKw ?? 0) * 1000),
        wattHours + Math.round(Number(fields.speicherkapazitaetAnteilKwh ?? 0) * 1000),
      ]);
    };
    if (real !== null || statusId === 35) add('inbetriebnahme', real);
    if (gone !== null) add('stilllegung', gone);
    if (real === null && (planned !== null || statusId === 31)) add('planung', planned);
    if (real !== null && statusId === 31) add('planung_mit_inbetriebnahme', planned);
  }
  return new Map(
    [...sums].map(([key, [count, ...thousandths]]) => [key, [count, ...thousandths.map((n) => n / 1000)]]),
  );
}

/** Fields of the catalogue of which no unit has a value: comparing them says nothing. */
export const fieldsWithoutValue = ({ units }: Recount): string[] =>
  STORED_FIELDS.map(({ name }) => name).filter((name) =>
    [...units.values()].every(({ fields }) => (fields[name] ?? null) === null),
  );
