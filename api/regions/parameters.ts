import { z } from 'zod';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import type { Dialect, Dialects } from '../../sql/query/dialect.ts';
import { lyingSql } from '../../sql/query/listed-places.ts';
import { type PlaceLevel, placeSql } from '../../sql/query/places.ts';
import type { Binder } from '../../sql/query/statement.ts';
import type { UnitCriteria } from '../../sql/query/units.ts';
import { plainSigns } from '../../sql/register/mastr-number.ts';
import type { Call } from '../operation/operation.ts';
import { conspicuousParameter } from '../quality/conspicuous.ts';
import { asksPortfolio, portfolioShape, portfolioUnits } from '../units/portfolio.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, fault, listParameter, oneWord } from '../wire/parameters.ts';
import { placeOfRow, regionParameter } from './region-parameter.ts';

/** Parameters that the three regional analyses share. */
export const regionParameters = {
  ebene: oneWord(['bundesland', 'landkreis', 'gemeinde', 'plz'])
    .optional()
    .describe('Level of `region`; only together with it'),
  region: regionParameter().optional(),
  energietraeger: listParameter({ closed: CARRIERS }).optional().describe('Carriers, comma-separated; default all'),
  registerEnergietraeger: listParameter()
    .optional()
    .describe(
      'Carriers in the words of the register, such as `Solarthermie`, each in rows of its own; the reference set `energietraeger` lists them',
    ),
  ...conspicuousParameter,
  ...portfolioShape(queryNotation),
};

export interface Region {
  readonly ebene: 'bundesland' | 'landkreis' | 'gemeinde' | 'plz';
  readonly region: string;
  /** Keys of the official list: the region is these places as they are on it, whatever the units' own keys. */
  readonly listed?: readonly string[] | undefined;
}

export interface RegionQuery {
  readonly ebene?: Region['ebene'] | undefined;
  readonly region?: string | undefined;
  readonly energietraeger?: readonly string[] | undefined;
  /** In the words of the register; undefined = all. */
  readonly registerEnergietraeger?: readonly string[] | undefined;
  /** As in Region. */
  readonly listed?: readonly string[] | undefined;
  /** Numbers of the units that count; undefined = all. */
  readonly units?: readonly string[] | undefined;
  /** Conditions that units have to meet to count, and the day that they count as today. */
  readonly filtered?: UnitCriteria | undefined;
}

/** Returns the region of a query; null = the whole country. */
export const regionOf = ({ ebene, region, listed }: RegionQuery): Region | null =>
  ebene === undefined || region === undefined ? null : { ebene, region: plainSigns(region), listed };

/** Writes the condition that a row lies in a district or a municipality. @param table alias of `regionen`, or of a projection */
export function placeCondition(
  { region, listed }: Region,
  level: PlaceLevel,
  table: string,
  dialect: Dialect,
  values: Binder,
): string {
  if (listed === undefined) return placeSql({ level, text: region }, table, dialect, values);
  return lyingSql(level, table, `(${listed.map((key) => values.bind(key)).join(', ')})`);
}

/** What an analysis is asked, with the units of the caller's portfolio where it asks for these alone. */
export const portfolioQuestion = async (
  {
    region: regions = [],
    ...query
  }: Omit<RegionQuery, 'region'> & {
    readonly region?: readonly string[] | undefined;
  } & Parameters<typeof portfolioUnits>[0],
  call: Pick<Call, 'caller' | 'records'>,
) => ({
  ...regionQuestion({ ...query, region: regions.length > 1 ? undefined : regions[0] }),
  regionen: regions.length > 1 ? regions : undefined,
  units: asksPortfolio(query) ? await portfolioUnits(query, call) : undefined,
});

/** Resolves what an analysis is asked: to name every carrier is to name none. */
export const regionQuestion = ({ ebene, region, energietraeger = CARRIERS, registerEnergietraeger }: RegionQuery) => ({
  ebene,
  region,
  energietraeger: [...energietraeger].sort(),
  registerEnergietraeger: registerEnergietraeger?.map(plainSigns).sort(),
});

export const registerCarrierShape = {
  registerEnergietraeger: z
    .string()
    .nullable()
    .optional()
    .describe(
      'Carrier in the words of the register, each in rows of its own; only where the parameter of that name is given',
    ),
};

/** The columns of a table: its rows name carriers of the register, and their place, where the question needs that. */
export const rowColumns = (
  row: z.ZodObject,
  {
    registerEnergietraeger,
    regionen,
  }: Pick<RegionQuery, 'registerEnergietraeger'> & { readonly regionen?: readonly string[] | undefined },
): string[] =>
  Object.keys(row.shape).filter(
    (name) =>
      (registerEnergietraeger !== undefined || !(name in registerCarrierShape)) &&
      (regionen !== undefined || !(name in placeOfRow)),
  );

/** The member of a row. */
export const registerCarrier = (value: string | null, { registerEnergietraeger }: RegionQuery) =>
  registerEnergietraeger === undefined ? {} : { registerEnergietraeger: value };

/** The condition that a row is about one of these carriers, bound as `$energietraeger`. */
export const carrierCondition = ({ units }: Dialects): string => units.isAmong('einheitTyp', '$energietraeger');

/** Refuses `ebene` without `region`, and `region` without `ebene`. */
export function levelAndRegionTogether(query: object, context: z.RefinementCtx): void {
  const hasLevel = 'ebene' in query;
  const hasRegion = 'region' in query;
  if (hasLevel && !hasRegion) context.issues.push(fault('INVALID_PARAMETER', 'needs region beside it', ['ebene']));
  if (hasRegion && !hasLevel) context.issues.push(fault('INVALID_PARAMETER', 'needs ebene beside it', ['region']));
}

/** Query of an analysis that takes nothing but region and carriers. */
export const regionQuery = z.strictObject(regionParameters).superRefine(levelAndRegionTogether, always);
