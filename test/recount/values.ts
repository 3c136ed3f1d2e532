import type { RecountedMember, Row } from './read-export.ts';

/** Texts of the export as values, by the rules of the format: section 2.1 (value formats) and 6 (data quality). */

export type Value = string | number | boolean | readonly string[] | null;

export type Type =
  | 'mastr'
  | 'text'
  | 'day'
  | 'time'
  | 'integer'
  | 'boolean'
  | 'kilowatts'
  | 'decimal'
  | 'degree'
  | 'label'
  | 'labels'
  | 'list';

/** A record with its values; an element that is missing or unreadable is not among them. */
export interface TypedRow {
  readonly kind: string;
  /** The unchanged text, for ids of catalogues. */
  readonly raw: Row;
  readonly values: Readonly<Record<string, Value>>;
}

/** Counts of findings by `befund|kind of file|element`. */
export type Findings = Map<string, number>;

export function note(findings: Findings, befund: string, kind: string, element: string | null, count = 1): void {
  const key = `${befund}|${kind}|${element ?? ''}`;
  findings.set(key, (findings.get(key) ?? 0) + count);
}

export interface Reading {
  readonly labels: (element: string) => ReadonlyMap<number, string>;
  readonly findings: Findings;
  /** Records without a key, by the name of their member. */
  readonly withoutKey: Map<string, number>;
  /** Days outside of these are typing errors. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/**
 * The records of some kinds of files. Of records with the same key the newest counts, among equals the last one.
 * @param changed element with the time of the last change
 */
export function readTable(
  members: readonly RecountedMember[],
  { kinds, key, changed, types }: Table,
  reading: Reading,
): Map<string, TypedRow> {
  const winners = new Map<string, TypedRow>();
  for (const { name, kind, rows } of members) {
    if (!kinds.includes(kind)) continue;
    for (const raw of rows) {
      const id = normalised(raw[key] ?? '');
      const isKey = key === 'Id' ? /^[0-9]+$/.test(id) : isMastrNumber(id);
      if (!isKey) {
        note(reading.findings, raw[key] === undefined ? 'schluessel_fehlt' : 'schluessel_ungueltig', kind, null);
        reading.withoutKey.set(name, (reading.withoutKey.get(name) ?? 0) + 1);
        continue;
      }
      const values: Record<string, Value> = {};
      for (const [element, type] of Object.entries(types))
        values[element] = readElement(raw, kind, element, type, reading);
      const before = winners.get(id);
      const isNewer = (values[changed] ?? '') >= (before?.values[changed] ?? '');
      if (before === undefined || isNewer) winners.set(id, { kind, raw, values });
    }
  }
  return winners;
}

export interface Table {
  readonly kinds: readonly string[];
  readonly key: string;
  readonly changed: string;
  readonly types: Readonly<Record<string, Type>>;
}

/** Full-width ampersands to plain ones, white space collapsed. */
export const normalised = (text: string): string => text.replaceAll('\uff06', '&').replace(/\s+/g, ' ').trim();

/** A whole number of 32 bits; null for any other text. */
const wholeNumber = (text: string): number | null =>
  /^[+-]?[0-9]+$/.test(text) && Math.abs(Number(text)) < 2 ** 31 ? Number(text) : null;

/** Lists are sets. */
const splitList = (text: string): string[] => {
  const items = text.split(/[,;]/).map((item) => item.trim());
  return [...new Set(items)].filter((item) => item !== '');
};

export const isMastrNumber = (text: string): boolean => /^[A-Z]{3}[0-9]{12}$/.test(text);

function readElement(row: Row, kind: string, element: string, type: Type, reading: Reading): Value {
  const text = normalised(row[element] ?? '');
  if (text === '') return null;
  if (/^(1|true)$/i.test(normalised(row[`${element}_nv`] ?? ''))) {
    note(reading.findings, 'wert_trotz_nv', kind, element);
    return null;
  }
  const [value, fault] = readValue(text, element, type, reading);
  for (const befund of fault) note(reading.findings, befund, kind, element);
  return value;
}

const UNREADABLE: [Value, string[]] = [null, ['wert_unlesbar']];

/** No power station has 25 GW (docs/decisions/0002). */
const MAX_VALUE = { kilowatts: 25_000_000, decimal: Number.POSITIVE_INFINITY, degree: 180 };

function readValue(text: string, element: string, type: Type, reading: Reading): [Value, string[]] {
  switch (type) {
    case 'text':
      return [text, []];
    case 'mastr':
      return isMastrNumber(text) ? [text, []] : UNREADABLE;
    case 'integer':
      return wholeNumber(text) === null ? UNREADABLE : [wholeNumber(text), []];
    case 'kilowatts':
    case 'decimal':
    case 'degree': {
      const isNumber = /^[+-]?[0-9]*\.?[0-9]+(e[+-]?[0-9]+)?$/i.test(text);
      if (!isNumber || Math.abs(Number(text)) > MAX_VALUE[type]) return UNREADABLE;
      return [Number(Number(text).toFixed(type === 'degree' ? 6 : 3)), []];
    }
    case 'boolean':
      return /^(0|1|true|false)$/i.test(text) ? [/^(1|true)$/i.test(text), []] : UNREADABLE;
    case 'day': {
      const day = text.slice(0, 10);
      if (!isDay(day) || !['', 'T'].includes(text.slice(10, 11))) return UNREADABLE;
      return day < reading.firstDay || day > reading.lastDay ? [null, ['tag_unplausibel']] : [day, []];
    }
    case 'time': {
      const [, day, time = '00:00:00', fraction = ''] =
        /^([0-9-]{10})(?:T((?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2})(?:\.([0-9]+))?Z?)?$/.exec(text) ?? [];
      if (day === undefined || !isDay(day)) return UNREADABLE;
      return [`${day}T${time}.${fraction.slice(0, 6).padEnd(6, '0')}`, []];
    }
    case 'label': {
      const id = wholeNumber(text);
      if (id === null) return UNREADABLE;
      const label = reading.labels(element).get(id);
      return label === undefined ? [null, ['katalog_id_unbekannt']] : [label, []];
    }
    case 'labels': {
      const all = splitList(text).map((id) => reading.labels(element).get(Number(id)));
      const known = [...new Set(all.filter((label) => label !== undefined))];
      const unknown = all.filter((label) => label === undefined).map(() => 'katalog_id_unbekannt');
      return [known.length > 0 ? known : null, unknown];
    }
    case 'list':
      return [splitList(text).length > 0 ? splitList(text) : null, []];
  }
}

const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};

/** The number of a catalogue value; null where there is none. */
export const idOf = ({ raw }: TypedRow, element: string): number | null => wholeNumber(normalised(raw[element] ?? ''));
