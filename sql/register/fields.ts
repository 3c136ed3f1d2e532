import { readFileSync } from 'node:fs';
import { itemAt } from '../../runtime/present.ts';

/**
 * The field table of the export: every element of every kind of file, levels 23.1 to 26.1 (fields.csv), and which classes
 * of elements can tell something of a person (privacy.csv, with the source of each judgement).
 */

export interface RegisterField {
  /** Kind of file, e.g. EinheitenSolar; also the name of its root element. */
  readonly file: string;
  readonly record: string;
  readonly field: string;
  readonly type: 'text' | 'boolean' | 'catalogue' | 'day' | 'number' | 'decimal' | 'time' | 'list' | 'integer';
  /** Category of the catalogue; with SYSTEM in front: a file of its own that numbers from 1. */
  readonly catalogue: string;
  /** Unit of measure; empty when there is none. */
  readonly unit: string;
  /** The name under which newer levels have the element; empty when it kept its name. */
  readonly now: string;
  /** Its class in privacy.csv. */
  readonly privacy: string;
  /** True when the text may be personal; of an invalid one only the form is kept. */
  readonly personal: boolean;
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

/** Lines of a table in this folder, without its header. Only the last column is ever quoted. */
function linesOf(table: string): string[] {
  const [, ...lines] = readFileSync(new URL(table, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines;
}

function readPrivacy(): Map<string, boolean> {
  return new Map(
    linesOf('./privacy.csv').map((line) => {
      const [name = '', personal] = line.split(',');
      return [name, personal === 'yes'];
    }),
  );
}

function readFields(): RegisterField[] {
  const personal = readPrivacy();
  return linesOf('./fields.csv').map((line) => {
    const cells = line.split(',');
    const field = itemAt(cells, 2);
    const privacy = itemAt(cells, 6);
    return {
      file: itemAt(cells, 0),
      record: itemAt(cells, 1),
      field,
      type: DAYS_WRITTEN_AS_TIME.has(field) ? 'day' : (itemAt(cells, 3) as RegisterField['type']),
      catalogue: itemAt(cells, 4),
      unit: itemAt(cells, 5),
      now: itemAt(cells, 8),
      privacy,
      // A class without a judgement counts as personal.
      personal: personal.get(privacy) ?? true,
    };
  });
}

export const REGISTER_FIELDS: readonly RegisterField[] = readFields();

const byKind = Map.groupBy(REGISTER_FIELDS, (entry) => entry.file);

/** The kinds of files that the field table knows. */
export const REGISTER_KINDS: readonly string[] = [...byKind.keys()];

/** The elements of a kind of file; empty for a kind that is not known. */
export const fieldsOf = (kind: string): readonly RegisterField[] => byKind.get(kind) ?? [];

const NAMES = new Set(REGISTER_FIELDS.flatMap(({ file, record, field }) => [file, record, field]));

/** Says whether the field table has an element, a record or a kind of file of that name. */
export const isKnownName = (name: string): boolean => NAMES.has(name);

/** The form of all names of elements and files in the table: capitalised words, digits after one, a suffix such as _nv. */
const NAME = /^(?=.{2,80}$)(?:[A-Z]{1,3}[a-z]+|[A-Z]{1,2}(?![A-Z])|[1-9][0-9]?(?![0-9]))+(?:_[A-Za-z]{2})?$/;

/**
 * Says whether a name is one that the register could give to an element or a kind of file. Names of another form are damage or
 * content, and may say anything: they are never repeated.
 */
export const isNameOfRegister = (name: string): boolean => NAME.test(name);
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
  const [, kind = '', part] = match;
  return { kind: kindNow(kind), part: part === undefined ? null : Number(part) };
}
