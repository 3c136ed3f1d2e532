import { STATE_NAMES } from '../../sql/register/states.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { splitCsv } from './csv.ts';
import { describeFaults } from './faults.ts';

/** A place of the official list. */
interface ListedPlace {
  /** Key of a municipality, eight digits, or of a district, five. */
  readonly ags: string;
  readonly name: string;
  /** Null for a district: its figures are the sums of its municipalities. */
  readonly flaecheKm2: number | null;
  readonly einwohner: number | null;
}

export interface PlaceList {
  readonly places: readonly ListedPlace[];
  /** The day of the list, YYYY-MM-DD. */
  readonly gebietsstand: string;
  /** The day on which the inhabitants were counted. */
  readonly einwohnerAm: string;
}

export const PLACE_COLUMNS = ['ags', 'name', 'flaecheKm2', 'einwohner', 'gebietsstand', 'einwohnerAm'] as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads a list of all municipalities: the file GV100AD of the Statistisches Bundesamt, which has a fixed width, or CSV with the columns
 * of data/reference/places/gemeinden.csv.
 * @param einwohnerAm for GV100AD, which does not say it, and for nothing else
 * @throws BuildRefused with the line number of each fault
 */
export function readPlaces(text: string, einwohnerAm?: string): PlaceList {
  if (/^\d{10}/.test(text)) return readFixedWidth(text, einwohnerAm);
  if (einwohnerAm === undefined) return readCsv(text);
  throw new BuildRefused(
    '--population-day goes with GV100AD alone: a list in CSV says itself on which day it was counted',
  );
}

/** A list is taken for a part of one, or for broken, beyond these shares of what the list of the product has in a state. */
const [LEAST, MOST] = [0.8, 1.25];

/**
 * Compares a list with that of the product, state by state: a list that was cut off, or has a number with digits too many, would divide
 * figures of whole states by a part of their inhabitants.
 * @param today no day of the list may lie behind it
 * @throws BuildRefused naming what does not fit
 */
export function mustBeWhole(list: PlaceList, product: PlaceList, today: string): void {
  const faults = Object.entries(STATE_NAMES)
    .sort()
    .flatMap(([key, name]) => {
      const [found, known] = [totalsOf(list, key), totalsOf(product, key)];
      return (['municipalities', 'inhabitants', 'km²'] as const)
        .filter((figure) => !(found[figure] >= LEAST * known[figure] && found[figure] <= MOST * known[figure]))
        .map(
          (figure) =>
            `${name} has ${written(found[figure])} ${figure}; the list of the product has ${written(known[figure])}`,
        );
    });
  for (const day of [list.gebietsstand, list.einwohnerAm]) if (day > today) faults.push(`${day} has not come yet`);
  if (faults.length > 0) throw new BuildRefused(describeFaults(faults));
}

const written = (figure: number): string => Math.round(figure).toLocaleString('en');

function totalsOf({ places }: PlaceList, state: string) {
  const those = places.filter(({ ags, einwohner }) => ags.startsWith(state) && einwohner !== null);
  const sum = (figure: 'einwohner' | 'flaecheKm2') => those.reduce((total, place) => total + (place[figure] ?? 0), 0);
  return { municipalities: those.length, inhabitants: sum('einwohner'), 'km²': sum('flaecheKm2') };
}

/** Records of districts and of municipalities; the others are about states, regions and associations. */
const [DISTRICT, MUNICIPALITY] = ['40', '60'];

function readFixedWidth(text: string, einwohnerAm: string | undefined): PlaceList {
  if (einwohnerAm === undefined) {
    throw new BuildRefused(
      'GV100AD does not say on which day the inhabitants were counted: --population-day, as the page of the download has it',
    );
  }
  const faults: string[] = [];
  const places: ListedPlace[] = [];
  let day = '';
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const kind = line.slice(0, 2);
    if (kind !== DISTRICT && kind !== MUNICIPALITY) continue;
    day = line.slice(2, 10);
    const name = line.slice(22, 72).trim();
    if (kind === DISTRICT) {
      places.push({ ags: line.slice(10, 15), name, flaecheKm2: null, einwohner: null });
      continue;
    }
    const hectares = numberOf(line.slice(128, 139));
    const place = {
      ags: line.slice(10, 18),
      name,
      flaecheKm2: hectares === null ? null : hectares / 100,
      einwohner: numberOf(line.slice(139, 150)),
    };
    const fault = faultOf(place);
    if (fault === null) places.push(place);
    else faults.push(`line ${at + 1}: ${fault}`);
  }
  if (faults.length > 0) throw new BuildRefused(describeFaults(faults));
  return { places, gebietsstand: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`, einwohnerAm };
}

function readCsv(text: string): PlaceList {
  const [header, ...lines] = splitCsv(text);
  const names = header?.cells.map((cell) => cell.trim()) ?? [];
  const absent = PLACE_COLUMNS.filter((name) => !names.includes(name));
  if (absent.length > 0) {
    throw new BuildRefused(
      `line 1: the header lacks ${absent.join(', ')}; the file is neither GV100AD nor CSV with ${PLACE_COLUMNS.join(', ')}`,
    );
  }
  const faults: string[] = [];
  const places = new Map<string, ListedPlace>();
  const days = new Set<string>();
  for (const { line, cells } of lines) {
    const cell = (name: (typeof PLACE_COLUMNS)[number]): string => cells[names.indexOf(name)]?.trim() ?? '';
    const ags = cell('ags');
    const isDistrict = ags.length === 5;
    const [flaecheKm2, einwohner] = isDistrict
      ? [null, null]
      : [numberOf(cell('flaecheKm2')), numberOf(cell('einwohner'))];
    const place = { ags, name: cell('name'), flaecheKm2, einwohner };
    days.add(`${cell('gebietsstand')} ${cell('einwohnerAm')}`);
    const fault = places.has(ags) ? `${ags} comes twice` : faultOf(place);
    if (fault === null) places.set(ags, place);
    else faults.push(`line ${line}: ${fault}`);
  }
  const [gebietsstand = '', einwohnerAm = ''] = [...days][0]?.split(' ') ?? [];
  if (days.size > 1 || !DAY.test(gebietsstand) || !DAY.test(einwohnerAm)) {
    faults.push('gebietsstand and einwohnerAm are not one day each, YYYY-MM-DD, the same in every line');
  }
  if (faults.length > 0) throw new BuildRefused(describeFaults(faults));
  return { places: [...places.values()], gebietsstand, einwohnerAm };
}

function faultOf({ ags, name, flaecheKm2, einwohner }: ListedPlace): string | null {
  if (!/^(\d{5}|\d{8})$/.test(ags)) return 'ags is no key of five or eight digits';
  if (STATE_NAMES[ags.slice(0, 2)] === undefined) return `${ags} is in no state`;
  if (name === '') return `${ags} has no name`;
  if (ags.length === 5) return null;
  if (flaecheKm2 === null || flaecheKm2 <= 0) return `${ags} has no area`;
  return einwohner === null || !Number.isInteger(einwohner) ? `${ags} has no whole number of inhabitants` : null;
}

/** Up to eleven digits, perhaps with up to four behind a point, and nothing else; null for any other text. */
const numberOf = (text: string): number | null => (/^\d{1,11}(\.\d{1,4})?$/.test(text.trim()) ? Number(text) : null);
