import { say } from '../format/language.ts';
import { registerWord } from '../format/register-words.ts';

/**
 * Energy carriers in the order in which they are listed and stacked everywhere. Their colours are the same on every page
 * (style/tokens.css). They were chosen to stay apart for people who see no red or no green: the palette is that of Okabe and Ito, with grey for combustion.
 */
export const CARRIERS = [
  'solar',
  'wind',
  'storage',
  'biomass',
  'hydro',
  'combustion',
  'geothermal',
  'nuclear',
] as const;

export type Carrier = (typeof CARRIERS)[number];

const NAMES: Readonly<Record<Carrier, string>> = {
  solar: 'Solar',
  wind: 'Wind',
  storage: say('Speicher', 'Storage'),
  biomass: say('Biomasse', 'Biomass'),
  hydro: say('Wasser', 'Hydro'),
  combustion: say('Verbrennung', 'Combustion'),
  geothermal: say('Geo-/Solarthermie', 'Geo-/solar thermal'),
  nuclear: say('Kernkraft', 'Nuclear'),
};

const isCarrier = (value: string): value is Carrier => (CARRIERS as readonly string[]).includes(value);

/** A carrier that these pages do not know keeps the name that the interface gives it. */
export const carrierName = (carrier: string): string => (isCarrier(carrier) ? NAMES[carrier] : carrier);

/** „Solar, Wind“; null for all of them, which need no word. */
export const chosenCarriers = (carriers: readonly Carrier[]): string | null =>
  carriers.length === CARRIERS.length ? null : carriers.map(carrierName).join(', ');

/** Carriers of the interface that the register divides further. */
const MIXED: readonly string[] = ['geothermal', 'combustion'];

/** Names what one unit is: in the words of the register where its carrier is several of them. */
export const kindName = (carrier: string, inTheRegister: unknown): string =>
  MIXED.includes(carrier) && typeof inTheRegister === 'string' ? registerWord(inTheRegister) : carrierName(carrier);

/** The colour as a CSS value, which follows light and dark. */
export const carrierColor = (carrier: string): string =>
  isCarrier(carrier) ? `var(--carrier-${carrier})` : 'var(--faint)';

/** Carriers whose colour on paper is too dark for dark text. */
const DEEP: readonly string[] = ['wind', 'combustion'];

/** The colour of text on the colour of a carrier. */
export const carrierInk = (carrier: string): string => (DEEP.includes(carrier) ? 'var(--on-deep)' : 'var(--on-bright)');

/** Place in the order of carriers; unknown ones come last. */
export const carrierRank = (carrier: string): number =>
  isCarrier(carrier) ? CARRIERS.indexOf(carrier) : CARRIERS.length;
