import { readFileSync } from 'node:fs';

/** The field table of the export: every element of every kind of file, levels 23.1 to 26.1 (fields.csv). */

export interface RegisterField {
  /** Kind of file, e.g. EinheitenSolar; also the name of its root element. */
  readonly file: string;
  readonly record: string;
  readonly field: string;
  readonly type: 'text' | 'boolean' | 'catalogue' | 'day' | 'number' | 'decimal' | 'time' | 'list' | 'integer';
  /** Category of the catalogue; with SYSTEM in front: a file of its own that numbers from 1. */
  readonly catalogue: string;
  /** The name under which newer levels have the element; empty when it kept its name. */
  readonly now: string;
}

/** Days that the export writes as a date-time at midnight; they carry no zone (format reference 2.1). */
const DAYS_WRITTEN_AS_TIME = new Set([
  'InbetriebnahmedatumAmAktuellenStandort',
  'DatumNetzreserve',
  'DatumKapazitaetsreserve',
  'WiederinbetriebnahmeDatum',
]);

/** Kinds of files that were renamed, old name to new (level 23.1). */
const FORMER_KINDS: Readonly<Record<string, string>> = {
  EinheitenGeoSolarthermieGrubenKlaerschlammDruckentspannung: 'EinheitenGeothermieGrubengasDruckentspannung',
  AnlagenEegGeoSolarthermieGrubenKlaerschlammDruckentspannung: 'AnlagenEegGeothermieGrubengasDruckentspannung',
};

function readFields(): RegisterField[] {
  const [, ...lines] = readFileSync(new URL('./fields.csv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    // Only `meaning`, the last column, is ever quoted.
    const [file, record, field, type, catalogue, , , , now] = line.split(',');
    return {
      file: file!,
      record: record!,
      field: field!,
      type: DAYS_WRITTEN_AS_TIME.has(field!) ? 'day' : (type as RegisterField['type']),
      catalogue: catalogue!,
      now: now!,
    };
  });
}

export const REGISTER_FIELDS: readonly RegisterField[] = readFields();

const byKind = Map.groupBy(REGISTER_FIELDS, (entry) => entry.file);

/** The kinds of files that the field table knows. */
export const REGISTER_KINDS: readonly string[] = [...byKind.keys()];

/** The elements of a kind of file; empty for a kind that is not known. */
export const fieldsOf = (kind: string): readonly RegisterField[] => byKind.get(kind) ?? [];

/** The present name of a kind of file, which is also that of its root element. */
export const kindNow = (name: string): string => FORMER_KINDS[name] ?? name;

export interface MemberName {
  /** Kind of file under its present name. */
  readonly kind: string;
  /** Number of the part; null for a file without one. */
  readonly part: number | null;
}

/** Takes the name of a member apart: `EinheitenSolar_12.xml`. Null when it is no member of an export. */
export function parseMemberName(name: string): MemberName | null {
  const match = /^([A-Za-z]+?)(?:_([0-9]+))?\.xml$/i.exec(name.replace(/^.*[\\/]/, ''));
  if (match === null) return null;
  const kind = match[1]!;
  return { kind: kindNow(kind), part: match[2] === undefined ? null : Number(match[2]) };
}
