import type { Question, Tool } from './tools.ts';

/** An answer of the interface in few words: no members without a value, no more rows than are read, and what they are measured in. */

/** The endings of names, each with its unit of measure; the first that fits counts. */
const MEASURES: readonly (readonly [RegExp, string])[] = [
  [/kwJe1000Einwohner$/i, 'kW per 1,000 inhabitants'],
  [/kwhJe1000Einwohner$/i, 'kWh per 1,000 inhabitants'],
  [/anzahlJe1000Einwohner$/i, 'assets per 1,000 inhabitants'],
  [/kwJeKm2$/i, 'kW per km²'],
  [/kwhJeKm2$/i, 'kWh per km²'],
  [/anzahlJeKm2$/i, 'assets per km²'],
  [/CtKwh$/, 'ct/kWh'],
  [/Kwh$/, 'kWh'],
  [/Mwh$|^mwh$/, 'MWh'],
  [/Kw$|^kw$/, 'kW'],
  [/Mw$|^mw$/, 'MW'],
  [/Km2$/, 'km²'],
  [/Anteil$|^anteil$/, 'share of 1'],
];

/** A member of an answer that only programs follow. */
const FOR_PROGRAMS = ['links', 'sync'];

export interface Shown {
  readonly data: unknown;
  readonly meta: object;
  /** The units of measure of the members that have one. */
  readonly measures: Readonly<Record<string, string>>;
  /** Rows that are not among `data`. */
  readonly leftOut: number;
}

/** @param body the envelope of an answer */
export function shown(body: unknown, { rows, without }: Pick<Tool, 'rows' | 'without'>, { keeps }: Question): Shown {
  const { data, meta = {} } = Object(body);
  const left = new Set([...without, ...FOR_PROGRAMS]);
  const all: unknown[] = rows === null ? [] : ((rows.at === 'data' ? data : Object(data).groups) ?? []);
  const wanted = keeps === undefined ? all : all.filter((row) => keeps(row));
  const passedOn = rows?.newestLast === true ? wanted.slice(-rows.most) : wanted.slice(0, rows?.most);
  const kept = rows === null ? data : rows.at === 'data' ? passedOn : { ...Object(data), groups: passedOn };
  const [short, about] = [brief(kept, left), Object(brief(meta, left))];
  const measures: Record<string, string> = {};
  collectMeasures([short, about], measures);
  return { data: short, meta: about, measures, leftOut: wanted.length - passedOn.length };
}

/** @param left names of members that are left out */
function brief(value: unknown, left: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => brief(one, left));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) =>
      // A group of what has no value says so by its key.
      (member !== null || name === 'key') && !left.has(name) && !(Array.isArray(member) && member.length === 0),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, brief(member, left)]));
}

function collectMeasures(value: unknown, measures: Record<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isNumber = typeof (Array.isArray(member) ? member[0] : member) === 'number';
    const measure = isNumber ? MEASURES.find(([ending]) => ending.test(name))?.[1] : undefined;
    if (measure !== undefined) measures[name] = measure;
    collectMeasures(member, measures);
  }
}
