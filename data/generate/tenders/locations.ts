/** Location cells of award lists, in all forms in which they were published. */

import { entryOf, itemAt } from '../../../runtime/present.ts';
import { bits, pick, roll } from '../world/random.ts';
import { type Region, STATES } from '../world/regions.ts';
import { dayOf } from '../world/text.ts';
import type { Award } from './awards.ts';
import { UNITS_NAMED_FROM } from './calendar.ts';
import type { Plot } from './plots.ts';

/** The parts of a location cell; those that the cell does not name are undefined. */
export interface Location {
  readonly form: Form;
  /** The cell as published. */
  readonly text: string;
  /** First location of the cell. */
  readonly state: string | undefined;
  readonly district: string | undefined;
  readonly postcode: string | undefined;
  readonly municipality: string | undefined;
  /** Parcels by cadastral district and field. */
  readonly plots: readonly Plot[];
  /** Register numbers of units and of EEG plants that the cell names. */
  readonly units: readonly string[];
  readonly plants: readonly string[];
}

/** One form of the cell. */
type Form = (typeof FORMS)[number];
export const FORMS = [
  'usual',
  'commas',
  'narrow fields',
  'colon as list sign',
  'second district without municipality',
  'several municipalities',
  'postcode after the municipality',
  'prefix in the municipality',
  'municipality and district swapped',
  'leading zeros',
  'number before the parcels',
  'trailing sign',
  'without state',
  'register numbers at the end',
  'street',
  'street with keys',
] as const;

const SEVENTEEN = dayOf('2018-01-01') ?? 0;
const BIOMASS_NUMBERS = dayOf('2020-01-01') ?? 0;

/** Forms that the list of a round can have. */
function formsOf({ round, plots, plants, strangers }: Award): readonly Form[] {
  const { series, technology, day } = round;
  if (technology === 'KWK') return ['street', 'street with keys'];
  if (series === 'WIN' && day < SEVENTEEN) return ['without state'];
  if (series === 'BIO' && day >= BIOMASS_NUMBERS) return ['register numbers at the end'];
  const common: Form[] = [
    'usual',
    'usual',
    'usual',
    'commas',
    'postcode after the municipality',
    'prefix in the municipality',
    'leading zeros',
    'trailing sign',
  ];
  const several = new Set(plots.map(({ district }) => district)).size > 1;
  if (several) return ['second district without municipality', 'several municipalities'];
  if (plots.length > 1) return ['usual', 'narrow fields'];
  if (itemAt(plots, 0).field !== undefined) {
    if (series === 'WIN' && day >= UNITS_NAMED_FROM && plants.length + strangers.length > 0)
      common.push('number before the parcels');
    common.push('narrow fields');
    if (itemAt(plots, 0).parcels.length > 2) common.push('colon as list sign');
  }
  return [...common, 'municipality and district swapped'];
}

function stateOf(region: Region): string {
  return entryOf(STATES, region.state).name;
}

/** Towns that are a district of their own. */
function districtText(region: Region): string {
  return region.district === region.municipality
    ? `Kreisfreie Stadt ${region.district}`
    : `Landkreis ${region.district}`;
}

function parcelText({ field, parcels }: Plot, form: Form): string {
  const shown = form === 'leading zeros' ? parcels.map((parcel) => parcel.padStart(3, '0')) : parcels;
  const list =
    form === 'colon as list sign' && shown.length > 2
      ? `${shown[0]}: ${shown.slice(1).join('; ')}`
      : shown.join(form === 'commas' ? ', ' : '; ');
  if (field === undefined) return list;
  return form === 'narrow fields' || form === 'colon as list sign' ? `Flur${field}: ${list}` : `Flur ${field}: ${list}`;
}

/** Cadastral districts with their fields: `Gemarkung A: Flur 1: 2; 3; Flur 2: 4`. */
function plotTexts(plots: readonly Plot[], form: Form): string[] {
  const districts = [...new Set(plots.map(({ district }) => district))];
  return districts.map((district) => {
    const own = plots.filter((plot) => plot.district === district);
    return `Gemarkung ${district}: ${own.map((plot) => parcelText(plot, form)).join('; ')}`;
  });
}

/** Register numbers that the list of the round names. */
function numbersOf({ round, plants, strangers, base }: Award): { units: readonly string[]; plants: readonly string[] } {
  const { series, technology, day } = round;
  const units = plants.length > 0 ? plants.flatMap((plant) => plant.units) : strangers;
  if ((series === 'WIN' && day >= UNITS_NAMED_FROM) || technology === 'KWK') return { units, plants: [] };
  if (series === 'BIO' && day >= BIOMASS_NUMBERS)
    return roll(base, 5) < 0.3 ? { units, plants: [] } : { units: [], plants: plants.map(({ plant }) => plant) };
  return { units: [], plants: [] };
}

/** Location cell of an award. */
export function locationOf(award: Award): Location {
  const { base, region, plots } = award;
  const form = pick(base, 6, formsOf(award));
  const numbers = numbersOf(award);
  const { postcode, municipality } = region;
  const known = { form, state: stateOf(region), district: region.district, postcode, municipality, plots, ...numbers };
  const head = `${known.state}, ${districtText(region)}, PLZ ${postcode}, Gemeinde ${municipality}, `;
  const texts = plotTexts(plots, form);
  const tail = numbers.units.length > 0 ? ` (${numbers.units.join('; ')})` : '';
  switch (form) {
    case 'without state': {
      const places = plots.map(
        ({ field, parcels }, i) =>
          `Anlage ${i + 1}: ${field === undefined ? '' : `Flur${field}: `}${parcels.join('; ')}.`,
      );
      const first = itemAt(plots, 0);
      const own = plots.map((plot) => ({ ...plot, district: first.district }));
      const text = `Gemeinde ${municipality}, Gemarkung ${first.district}: ${places.join(' ')}`;
      return { ...known, state: undefined, district: undefined, postcode: undefined, plots: own, text };
    }
    case 'several municipalities': {
      const [first = '', ...others] = texts;
      const rest = others.map((text) => `PLZ ${Number(postcode) + 1}, Gemeinde Nachbardorf, ${text}`);
      return { ...known, text: [`${head}${first}`, ...rest].join('\n') + tail };
    }
    case 'second district without municipality':
      return { ...known, text: `${head}${texts.join('\n')}${tail}` };
    case 'postcode after the municipality':
      return {
        ...known,
        text: `${known.state}, ${districtText(region)}, Gemeinde ${municipality}, PLZ ${postcode}, ${texts.join('\n')}${tail}`,
      };
    case 'prefix in the municipality': {
      const prefixed = `${pick(base, 7, ['Markt', 'Stadt'])} ${municipality}`;
      return {
        ...known,
        text: `${known.state}, ${districtText(region)}, PLZ ${postcode}, Gemeinde ${prefixed}, ${texts.join('\n')}${tail}`,
      };
    }
    case 'municipality and district swapped': {
      const swapped = plots.map((plot) => ({ ...plot, district: municipality }));
      const text = `${known.state}, ${districtText(region)}, PLZ ${postcode}, Gemeinde ${region.town}, ${plotTexts(swapped, form).join('\n')}${tail}`;
      return { ...known, municipality: region.town, plots: swapped, text };
    }
    case 'number before the parcels':
      return { ...known, text: `${head}Gemarkung ${itemAt(plots, 0).district}: ${turbines(plots, numbers.units)}` };
    case 'trailing sign':
      return { ...known, text: `${head}${texts.join('\n')}${tail}${pick(base, 8, ['.', '"', ' '])}` };
    case 'register numbers at the end': {
      const list = [...numbers.plants, ...numbers.units].join('; ');
      return { ...known, text: `${head}${texts.join('\n')}.${list === '' ? '' : ` Registernummer(n): ${list}`}` };
    }
    case 'street':
      return {
        ...known,
        state: undefined,
        district: undefined,
        plots: [],
        text: `Musterstraße ${1 + (bits(base, 9) % 90)}\n${postcode} ${municipality}`,
      };
    case 'street with keys': {
      const [plot] = plots;
      const { district, parcels, field = 1 } = itemAt(plots, 0);
      const own = plot === undefined ? [] : [{ district, field, parcels: parcels.slice(0, 1) }];
      const text = `Gemeinde ${key(base, 10, 3)} ${municipality}, Gemarkung ${key(base, 11, 6)} ${district}, Flur ${field}, Flurstück ${parcels[0]}`;
      return { ...known, state: undefined, district: undefined, postcode: undefined, plots: own, text };
    }
    default:
      return { ...known, text: `${head}${texts.join('\n')}${tail}` };
  }
}

function key(base: number, draw: number, digits: number): string {
  return String(bits(base, draw) % 10 ** digits).padStart(digits, '0');
}

/** Every unit before its parcels: `RN SEE990347819680: Flur 8: 98.` The last unit gets what is left. */
function turbines(plots: readonly Plot[], units: readonly string[]): string {
  const { field, parcels } = itemAt(plots, 0);
  return units
    .map((unit, i) => {
      const own = i === units.length - 1 ? parcels.slice(i) : parcels.slice(i, i + 1);
      return `RN ${unit}: ${own.length === 0 ? '' : `Flur ${field}: ${own.join('; ')}`}.`;
    })
    .join(' ');
}
