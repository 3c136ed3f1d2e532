import { columnsRead } from './field.ts';
import { READABLE_FIELDS, STORED_FIELDS } from './unit-fields.ts';

/** The columns of the table `units`: those of the catalogue's fields, and further ones for the build. */

/** Column types of the version's file. */
export type KeptType = 'BIGINT' | 'VARCHAR' | 'INTEGER' | 'UBIGINT' | 'DATE' | 'UINTEGER' | 'INTEGER[]';

/** It separates the served columns of `units` from those that are only kept, in every version. */
export const FIRST_KEPT_COLUMN = 'nummer';

/** The service does not show these columns, but joins, regions and history need them. */
export const KEPT_COLUMNS: readonly (readonly [name: string, type: KeptType, meaning: string])[] = [
  [FIRST_KEPT_COLUMN, 'BIGINT', 'mastrNummer as 64 bits: three letters times 2^40, and twelve digits'],
  ['region', 'INTEGER', 'row of regionen'],
  ['landkreisgebiet', 'INTEGER', 'row of gebiete: the district; NULL = none, or one that no spelling covers alone'],
  ['gemeindegebiet', 'INTEGER', 'row of gebiete: the municipality; NULL as above'],
  ['statusId', 'INTEGER', 'catalogue id of betriebsStatus: ids are stable, texts are not'],
  ['inhalt', 'UBIGINT', 'hash of everything that is served of the unit'],
  ['inhaltSeit', 'INTEGER', 'build that first held this content; its time of publication stands in the pointer'],
  [
    'gueltigSeit',
    'INTEGER',
    'build since which the unit has been so, in what the releases since then have in common; NULL in rows of earlier releases: inhaltSeit',
  ],
  ['ersteRegistrierung', 'DATE', 'earliest registration day of all exports read'],
  ['ersterPlantag', 'DATE', 'first planned commissioning day seen'],
  ['ersterPlantagVom', 'DATE', 'day of the export in which it was seen'],
  ['letzterPlantag', 'DATE', 'last planned commissioning day seen'],
  [
    'letzterPlantagVom',
    'DATE',
    'day of an export in which it was seen: the last one, of a unit that is not planned any more',
  ],
  ['netzbetreiberpruefungId', 'INTEGER', 'catalogue id of netzbetreiberpruefung; 0 and 1 before level 24.2'],
  [
    'betreiberSeit',
    'DATE',
    'day of the export that first showed the present operator after another one; NULL = unknown',
  ],
  ['signals', 'UINTEGER', 'signals on the day of the export, one bit each in the order of sql/catalogue/signals.ts'],
  [
    'auffaelligkeiten',
    'UBIGINT',
    'rules that apply on the day of the export, one bit each (sql/catalogue/anomalies.ts)',
  ],
  ['vorschlag', 'VARCHAR', 'values that are plainly meant: JSON array; NULL = none'],
  ['gebotstermine', 'INTEGER[]', 'rows of gebotstermine in which the unit won an award; NULL = none'],
];

/** Names of all columns of `units`, in order. */
export const UNIT_COLUMN_NAMES: readonly string[] = [
  ...STORED_FIELDS.map(({ name }) => name),
  ...KEPT_COLUMNS.map(([name]) => name),
];

/**
 * The columns that make the content of a unit, which has changed where one of them differs: `inhalt` is a hash of the stored ones, which
 * is the same for a list without items as for none, but the build makes no such lists.
 */
export const CONTENT_COLUMNS: readonly string[] = [
  ...STORED_FIELDS.map(({ name }) => name),
  ...['signals', 'auffaelligkeiten', 'vorschlag'],
];

/** The other columns that served values are computed from: planned days and when they were seen, which go on without a new row. */
export const PASSING_COLUMNS: readonly string[] = [...new Set(READABLE_FIELDS.flatMap(columnsRead))].filter(
  (name) => UNIT_COLUMN_NAMES.includes(name) && !CONTENT_COLUMNS.includes(name),
);
