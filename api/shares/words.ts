import type { Language } from '../operation/operation.ts';

/** Words and numbers of pictures, in the language of who looks at them. */

export type Say = (german: string, english: string) => string;

export const sayIn =
  (language: Language): Say =>
  (german, english) =>
    language === 'de' ? german : english;

/** About three significant digits, as on the pages. */
export function written(value: number | null, language: Language): string {
  if (value === null) return '–';
  const decimals = value === 0 ? 0 : Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(Math.abs(value)))));
  const format = new Intl.NumberFormat(language === 'de' ? 'de-DE' : 'en-GB', { maximumFractionDigits: decimals });
  return format.format(value).replace('-', '−');
}

export const dayIn = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    ...(language === 'de' ? { dateStyle: 'medium' } : { day: 'numeric', month: 'short', year: 'numeric' }),
    timeZone: 'UTC',
  } as const).format(new Date(`${day}T00:00:00Z`));

const CARRIERS: Readonly<Record<string, readonly [string, string]>> = {
  solar: ['Solar', 'Solar'],
  wind: ['Wind', 'Wind'],
  storage: ['Speicher', 'Storage'],
  biomass: ['Biomasse', 'Biomass'],
  hydro: ['Wasser', 'Hydro'],
  combustion: ['Verbrennung', 'Combustion'],
  geothermal: ['Geo-/Solarthermie', 'Geo-/solar thermal'],
  nuclear: ['Kernkraft', 'Nuclear'],
};

export function carrierName(carrier: string, say: Say): string {
  const names = CARRIERS[carrier];
  return names === undefined ? carrier : say(...names);
}

/** „Solar, Wind“. @param carriers null = all of them */
export const carrierNames = (carriers: readonly string[] | null, say: Say): string =>
  carriers === null || carriers.length === Object.keys(CARRIERS).length
    ? say('alle Energieträger', 'all carriers')
    : carriers.map((carrier) => carrierName(carrier, say)).join(', ');
