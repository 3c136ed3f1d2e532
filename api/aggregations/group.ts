import { z } from 'zod';
import type { Dimension } from '../../sql/query/dimensions.ts';
import { placeMembers } from '../../sql/query/places.ts';
import type { listOf } from '../places/list.ts';
import { perPlaceShape } from '../places/per-place.ts';

/** The groups of an aggregation, as answers have them. */

/** Figures that groups have where they are asked for. */
export const FURTHER_FIGURES = ['nettonennleistungKw', 'anteile'] as const;

export type FurtherFigure = (typeof FURTHER_FIGURES)[number];

const energyShape = z
  .number()
  .nullable()
  .describe(
    'Usable capacity of storage (kWh): the sum of speicherkapazitaetAnteilKwh, so that each plant counts once; null where an earlier release built the version',
  );

const netShape = z
  .number()
  .nullable()
  .describe(
    'Sum of the net capacity (kW); unknown capacity adds nothing; null where an earlier release built the version. With two dimensions, or where kennzahlen asks for it',
  );

const share = (of: string) => z.number().nullable().describe(`${of}, 0 to 1; null where that is zero`);

const sharesShape = z
  .strictObject({
    anzahl: share('Share of all units that meet the filters'),
    bruttoleistung: share('Share of the gross capacity of all of them'),
    anzahlInErster: share('With two dimensions: share of the units with this value of the first').optional(),
    bruttoleistungInErster: share('With two dimensions: share of their gross capacity').optional(),
  })
  .describe('With two dimensions, or where kennzahlen asks for them');

const key = z.string().nullable().describe('Value of the dimension; null: the units without one');

const groupFigures = {
  count: z.int().describe('Units'),
  bruttoleistungKw: z.number().describe('Sum of the gross capacity (kW); unknown capacity adds nothing'),
  durchschnittsleistungKw: z
    .number()
    .nullable()
    .describe('Mean over the units whose capacity is known (kW); null where there is none'),
};

const figuresOfDays = (item: z.ZodType, meaning: string) =>
  z.array(item).describe(`${meaning}, one for each day of meta.bestandAm`);

const stockShape = z
  .strictObject({
    anzahl: figuresOfDays(z.int(), 'Units'),
    bruttoleistungKw: figuresOfDays(z.number(), 'Sum of their gross capacity (kW)'),
    speicherkapazitaetKwh: figuresOfDays(z.number().nullable(), 'Usable capacity of storage (kWh)'),
  })
  .describe('With bestandAm: units that were commissioned by the end of a day, and not decommissioned for good');

const secondShape = z
  .strictObject({ key, ...placeMembers })
  .describe('With two dimensions: the value of the second, in the form of the first');

/** Only groups that are places have the members of a place. */
export const group = z.strictObject({
  region: z.string().optional().describe('With region: the place that the group is counted in, as it was sent'),
  key,
  zweite: secondShape.optional(),
  ...groupFigures,
  ...placeMembers,
  speicherkapazitaetKwh: energyShape,
  ...z.strictObject(perPlaceShape).partial().shape,
  nettonennleistungKw: netShape.optional(),
  anteile: sharesShape.optional(),
  bestand: stockShape.optional(),
});

/** A value of one of two dimensions, whatever the other one is. */
export const subtotal = group.omit({ zweite: true });

export const totalsShape = z.strictObject({
  count: z.int(),
  bruttoleistungKw: z.number(),
  speicherkapazitaetKwh: energyShape,
  nettonennleistungKw: netShape.optional(),
});

type GroupOf = z.infer<typeof group>;

export type SubtotalOf = z.infer<typeof subtotal>;

/** The units that meet the conditions, counted. */
export interface Counted {
  readonly groups: readonly GroupOf[];
  /** Of two dimensions. */
  readonly teilsummen?: { readonly erste: readonly SubtotalOf[]; readonly zweite: readonly SubtotalOf[] };
  readonly totals: z.infer<typeof totalsShape>;
  /** Of several places. */
  readonly orte?: readonly { readonly region: string; readonly totals: z.infer<typeof totalsShape> }[];
  /** True where there are more groups. */
  readonly truncated: boolean;
  /** For the meta: the list of places that figures rest on, where there are such. */
  readonly list: { readonly bezug?: Awaited<ReturnType<typeof listOf>> };
}

const PARTS = Object.entries(group.shape).flatMap(([name, member]) => {
  const shape = member instanceof z.ZodOptional ? member.unwrap() : member;
  return shape instanceof z.ZodObject ? Object.keys(shape.shape).map((part) => `${name}.${part}`) : [name];
});

/** The columns of a table of groups: a state is its name. @param second of two dimensions */
export const columnsOf = (
  first: Dimension,
  second: Dimension | undefined,
  further: readonly FurtherFigure[],
  has: { readonly stock: boolean; readonly region: boolean },
): string[] =>
  PARTS.filter((column) => {
    const [member = '', part = ''] = column.split('.');
    if (member === 'zweite') return second !== undefined && (part === 'key' || second.places !== null);
    if (member === 'region') return has.region;
    if (member === 'bestand') return has.stock;
    if (member === 'nettonennleistungKw') return further.includes(member);
    if (member === 'anteile') return further.includes(member) && (second !== undefined || !part.endsWith('InErster'));
    if (member in placeMembers) return first.places !== null;
    if (!(member in perPlaceShape)) return true;
    return second === undefined && (first.places !== null || first.name === 'bundesland');
  });

interface Sums {
  readonly count: number;
  readonly kw: number;
  readonly known: number;
}

export const figuresFrom = ({ count, kw, known }: Sums) => ({
  count,
  bruttoleistungKw: kw,
  durchschnittsleistungKw: known === 0 ? null : Math.round((kw / known) * 1e6) / 1e6,
});

interface StockOfRow {
  readonly bestandAnzahl?: readonly (number | null)[] | undefined;
  readonly bestandKw?: readonly (number | null)[] | undefined;
  readonly bestandKwh?: readonly (number | null)[] | undefined;
}

export const stockFrom = (row: StockOfRow, energyOf: (kwh: number) => number | null) => ({
  anzahl: [...(row.bestandAnzahl ?? [])],
  bruttoleistungKw: [...(row.bestandKw ?? [])],
  speicherkapazitaetKwh: (row.bestandKwh ?? []).map((kwh) => energyOf(kwh ?? 0)),
});

/** To six decimals, since of thousands of groups most are a small part. */
const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1e6) / 1e6;

/** What a figure is a share of. */
export type Whole = Pick<Sums, 'count' | 'kw'>;

/** @param first what has the same value of the first dimension */
export const sharesFrom = (row: Whole, all: Whole, first?: Whole) => ({
  anzahl: shareOf(row.count, all.count),
  bruttoleistung: shareOf(row.kw, all.kw),
  ...(first === undefined
    ? {}
    : { anzahlInErster: shareOf(row.count, first.count), bruttoleistungInErster: shareOf(row.kw, first.kw) }),
});
