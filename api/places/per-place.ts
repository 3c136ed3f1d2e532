import { z } from 'zod';
import type { PerPlaceMembers } from '../../sql/query/per-place.ts';
import type { VersionReader } from '../warehouse/version.ts';

/** Figures by inhabitants and area, as answers have them: to six decimals, null without a place of the official list. */

const figure = (meaning: string) => z.number().nullable().describe(meaning);

/** The members that go with a number of units and their capacity. @param of whose units: `Planned units` */
export const ratioShape = (of: string) => ({
  anzahlJe1000Einwohner: figure(`${of} per 1,000 inhabitants`),
  kwJe1000Einwohner: figure(`Their gross capacity (kW) per 1,000 inhabitants`),
  anzahlJeKm2: figure(`${of} per km²`),
  kwJeKm2: figure('Their gross capacity (kW) per km²'),
});

export const perPlaceShape = {
  einwohner: z
    .int()
    .nullable()
    .describe(
      'Inhabitants of the place as it is on the day of the official list (`meta.bezug`); null: the list does not have it',
    ),
  flaecheKm2: figure('Its area (km²)'),
  ...ratioShape('Units of that place'),
  kwhJe1000Einwohner: figure('Their energy of storage (kWh) per 1,000 inhabitants'),
  kwhJeKm2: figure('Their energy of storage (kWh) per km²'),
};

/** Figures are divided by these. */
export interface Divisors {
  readonly einwohner: number | null;
  readonly flaecheKm2: number | null;
}

export const NOWHERE: Divisors = { einwohner: null, flaecheKm2: null };

/** A figure by inhabitants or by area; null without either, and where nobody lives. */
const ratio = (figure: number | null, by: number | null, per = 1): number | null =>
  figure === null || by === null || by === 0 ? null : Math.round(((figure * per) / by) * 1e6) / 1e6;

/** @param kw gross capacity of the units */
export const ratios = (units: number, kw: number, { einwohner, flaecheKm2 }: Divisors) => ({
  anzahlJe1000Einwohner: ratio(units, einwohner, 1000),
  kwJe1000Einwohner: ratio(kw, einwohner, 1000),
  anzahlJeKm2: ratio(units, flaecheKm2),
  kwJeKm2: ratio(kw, flaecheKm2),
});

/** The members of a group. */
export function perPlaceOf(row: PerPlaceMembers, { dialects }: Pick<VersionReader, 'dialects'>) {
  const { einwohner = null, flaecheKm2 = null, ortAnzahl, ortKw, ortKwh } = row;
  const kwh = dialects.projections.storageEnergy ? (ortKwh ?? 0) : null;
  return {
    einwohner,
    flaecheKm2,
    ...ratios(ortAnzahl ?? 0, ortKw ?? 0, { einwohner, flaecheKm2 }),
    kwhJe1000Einwohner: ratio(kwh, einwohner, 1000),
    kwhJeKm2: ratio(kwh, flaecheKm2),
  };
}
