import { clickhouse } from '../../query/clickhouse.ts';
import { bitsOf, DIMENSIONS } from '../../query/dimensions.ts';
import { SUMMED_ENERGY } from '../../query/energy.ts';
import { ALL_UNITS } from '../../query/groups.ts';
import { sqlFile } from '../../query/sql-files.ts';

/**
 * Figures by which the roll-ups are compared with the units: the hash of a group's key, summed up over its units, and times their
 * capacity and energy. From the rows of a roll-up they are the same, times what a row has counted, if each group has the units that it should. So
 * nothing is grouped, and all roll-ups by day are counted in one pass: that takes a quarter of counting the groups again.
 */

/** The columns of a roll-up that name a group, and the expressions over a unit that say to which group it belongs. */
type Keys = Readonly<Record<string, string>>;

/** The series are those of series.sql. */
const OF_SERIES = { serie: 'reihe.1', einheitTyp: 'units.einheitTyp', statusId: 'units.statusId' };
const FIRST_OF_MONTH = `toModifiedJulianDay(concat(substring(fromModifiedJulianDay(reihe.2 + 40587), 1, 7), '-01')) - 40587`;

const BY_DAY: Readonly<Record<string, Keys>> = {
  region_tage: { ...OF_SERIES, region: 'units.region', tag: 'reihe.2' },
  bundesland_tage: { ...OF_SERIES, bundesland: 'units.bundesland', tag: 'reihe.2' },
  deutschland_tage: { ...OF_SERIES, tag: 'reihe.2' },
  deutschland_monate: { ...OF_SERIES, tag: FIRST_OF_MONTH },
};

/** The keys of a group in `aggregationen`. */
const OF_DIMENSION = ['dimension', 'schluessel'];

/** Roll-ups that views fill from units. */
export const ROLLUPS = [...Object.keys(BY_DAY), 'aggregationen'];

/** Texts are the same whatever the types of numbers are, and hashes have no NULL. */
const hashOf = (keys: readonly string[]): string =>
  `cityHash64(${keys.map((key) => `ifNull(toString(${key}), '~')`).join(', ')})`;

/** Watts and watt hours, as no sum of them may overflow. */
const thousandths = (kilo: string): string => `toInt128(toDecimal128(${kilo}, 3) * 1000)`;

/** Hashes are added up within 64 bits, so sums of products agree in as many. */
const figures = (...summands: readonly string[]): string =>
  `[${summands.map((summand) => `toString(toUInt64(sum(${summand})))`).join(', ')}]`;

/** Selects the figures of every roll-up from its rows, with its name. */
export const storedFigures = (): string => ROLLUPS.map(storedIn).join('\nUNION ALL\n');

function storedIn(table: string): string {
  const keys = BY_DAY[table];
  const hash = hashOf(keys === undefined ? OF_DIMENSION : Object.keys(keys));
  const known = keys === undefined ? [`mitLeistung * ${hash}`] : [];
  const sums = [`anzahl * ${hash}`, `${thousandths('kw')} * ${hash}`, `${thousandths('kwh')} * ${hash}`, ...known];
  return `SELECT '${table}' AS name, ${figures(...sums)} AS figures FROM ${table}`;
}

/** The statements that count the same from units: each returns a column for each of its roll-ups. */
export function countedFigures(): string[] {
  const kw = thousandths('ifNull(units.bruttoleistungKw, 0)');
  const kwh = thousandths(`ifNull(units.${SUMMED_ENERGY}, 0)`);
  const byDay = Object.entries(BY_DAY).map(([table, keys]) => {
    const hash = hashOf(Object.values(keys));
    return `${figures(hash, `${kw} * ${hash}`, `${kwh} * ${hash}`)} AS ${table}`;
  });
  return [
    `SELECT ${byDay.join(',\n  ')}
FROM units AS units
ARRAY JOIN ${sqlFile(import.meta.url, 'series.sql')} AS reihe
WHERE units.region IS NOT NULL`,
    `WITH ${hashOfDimensions()} AS hash
SELECT ${figures('hash', `${kw} * hash`, `${kwh} * hash`, 'if(units.bruttoleistungKw IS NULL, 0, hash)')} AS aggregationen
FROM units AS units`,
  ];
}

/** The hashes of all groups in `aggregationen` to which a unit belongs, added up. */
function hashOfDimensions(): string {
  const one = (dimension: string, key: string) => hashOf([`'${dimension}'`, key]);
  const keys = DIMENSIONS.flatMap((dimension) => {
    const { name, key } = dimension;
    const mask = key(clickhouse);
    const bits = bitsOf(dimension);
    if (bits === null) return one(name, mask);
    return bits.map(({ bit, id }) => `if(bitAnd(ifNull(${mask}, 0), ${bit}) <> 0, ${one(name, `'${id}'`)}, 0)`);
  });
  return [one(ALL_UNITS, 'NULL'), ...keys].join('\n  + ');
}
