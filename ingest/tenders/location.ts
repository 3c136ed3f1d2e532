import { type Parcel, parcelsOfText, printParcel } from '../../sql/tenders/parcels.ts';
import type { Location } from './round.ts';

/**
 * Takes the location of an award apart by its keywords and not by the places of its commas:
 * `Bundesland, Landkreis X, PLZ 12345, Gemeinde Y, Gemarkung Z: Flur 10: 14/1; 26/1 (SEE949739967850)`. Parts may be
 * missing, stand in another order or come several times.
 */

const STATES = [
  ...['Baden-Württemberg', 'Bayern', 'Berlin', 'Brandenburg', 'Bremen', 'Hamburg', 'Hessen', 'Mecklenburg-Vorpommern'],
  ...['Niedersachsen', 'Nordrhein-Westfalen', 'Rheinland-Pfalz', 'Saarland', 'Sachsen', 'Sachsen-Anhalt'],
  ...['Schleswig-Holstein', 'Thüringen'],
] as const;

const foldState = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ue', 'ü')
    .replaceAll(/[\s\u2010-\u2015-]/g, '');

const STATE_BY_FOLDED = new Map(STATES.map((state) => [foldState(state), state]));

/** A cell with more characters is cut; no list has one. */
const MAX_CELL = 8000;

/**
 * A name goes on until a separator, the next keyword or a number. A word in brackets belongs to it (`Halle (Saale)`), and so
 * does the dot of an abbreviation (`Neustadt a.d. Waldnaab`).
 */
const NAME = String.raw`(?:\d{2,6}\s+)?((?:[^,;:\n(\d]|\(\p{L}[^()\d\n]*\))+?)\s*(?=[,;:\n\d]|\((?!\p{L}[^()\d\n]*\))|\b(?:PLZ|Gemeinde|Gemarkung|Landkreis|Flur|Flurstücke?)\b|\.\s+(?:Anlage|Flur|Gemarkung|Gemeinde)\b|\.?$)`;

const DISTRICT = new RegExp(
  String.raw`\b(?:Landkreis|Kreisfreie Stadt|Stadtkreis|Städteregion|Regionalverband|Region|Kreis|Lkr\.|LK)\s+${NAME}`,
  'iu',
);
const MUNICIPALITY = new RegExp(String.raw`\bGemeinde:?\s+${NAME}`, 'iu');
const CADASTRAL = new RegExp(String.raw`\bGemarkung(?:en)?:?\s+${NAME}`, 'giu');
const POSTCODE = /\b(?:PLZ|Postleitzahl):?\s*(\d{5})\b/i;

/** The postal address of a CHP plant: a line, or the part behind a comma, that begins with a postcode. */
const ADDRESS = /(?:^|[\n,])\s*(\d{5})\s+(\p{Lu}[^,;:\n\d(]+(?:\(\p{L}[^()\d\n]*\))?)/u;

/** Municipalities whose names do begin with what is a prefix elsewhere. */
const NAMED_MARKET =
  /^(?:Markt (?:Schwaben|Indersdorf|Rettenbach|Wald|Bibart|Berolzheim|Erlbach|Nordheim|Taschendorf|Einersheim)|Stadt Wehlen)$/;

/** The end of a location: the next one begins, or another keyword than those of parcels. */
const NEXT = /\b(?:Gemarkung(?:en)?|Gemeinde|PLZ|Landkreis|Kreisfreie Stadt)\b/iu;

/** @param numbers the cell of register numbers, where the list has a column of them; it is not part of the published location */
export function parseLocation(cell: string, numbers = ''): Location {
  const raw = cell
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .slice(0, MAX_CELL)
    .trim();
  const { mastrNummern, foerderNummern, rest } = takeRegisterNumbers(raw.replaceAll(/[ \t]+/g, ' '));
  const beside = takeRegisterNumbers(numbers.slice(0, MAX_CELL));
  const text = rest.replace(/["'.\s]+$/, '');
  const address = ADDRESS.exec(text);
  const parcels = parcelsOf(text);
  const gemeinde = withoutPrefix(nameOf(MUNICIPALITY.exec(text)));
  const cadastral = nameOf(new RegExp(CADASTRAL.source, 'iu').exec(text));
  return {
    bundesland: stateOf(text),
    landkreis: nameOf(DISTRICT.exec(text)),
    plz: POSTCODE.exec(text)?.[1] ?? address?.[1] ?? null,
    gemeinde: gemeinde ?? (address === null ? null : cleanName(address[2] ?? '')),
    gemarkung: cadastral,
    flurstueck: parcels.length === 0 ? null : parcels.map(printParcel).join('; '),
    flurstueckRoh: raw === '' ? null : raw,
    mastrNummern: [...new Set([...mastrNummern, ...beside.mastrNummern])],
    foerderNummern: [...new Set([...foerderNummern, ...beside.foerderNummern])],
  };
}

/** The parcels that a cell names, for comparing; `flurstueck` prints them. */
export const parcelsOfCell = (cell: string): Parcel[] => parcelsOf(takeRegisterNumbers(cell).rest);

/** Says whether the cell told any place. */
export const hasPlace = ({ bundesland, landkreis, plz, gemeinde, gemarkung }: Location): boolean =>
  [bundesland, landkreis, plz, gemeinde, gemarkung].some((part) => part !== null);

const nameOf = (match: RegExpExecArray | null): string | null => (match === null ? null : cleanName(match[1] ?? ''));

function cleanName(text: string): string | null {
  const bare = text.replaceAll(/\s+/g, ' ').replace(/^["'\s]+|["'\s]+$/g, '');
  // The dot of an abbreviation belongs to the name: "Kirchheim i. Schw."
  const name = /[\s/.]\p{L}{1,6}\.$/u.test(bare) ? bare : bare.replace(/["'.\s]+$/, '');
  return name === '' || name.length > 100 ? null : name;
}

function withoutPrefix(name: string | null): string | null {
  if (name === null || NAMED_MARKET.test(name)) return name;
  return name.replace(/^(?:Markt|Stadt|Hansestadt|Gemeinde|Samtgemeinde|Flecken)\s+(?=\p{Lu})/u, '');
}

/** The first part between separators that is the name of a state. */
function stateOf(text: string): string | null {
  for (const part of text.split(/[,;:\n]/)) {
    const state = STATE_BY_FOLDED.get(foldState(part.replace(/^\s*(?:Bundesland|Freistaat)\s+/i, '').trim()));
    if (state !== undefined) return state;
  }
  return null;
}

/** Parcels of all Gemarkungen of the cell, each with those that follow its name. */
function parcelsOf(text: string): Parcel[] {
  const places = [...text.matchAll(CADASTRAL)];
  return places.flatMap((match) => {
    const name = cleanName(match[1] ?? '');
    if (name === null) return [];
    const after = text.slice(match.index + match[0].length);
    const end = NEXT.exec(after)?.index ?? after.length;
    return parcelsOfText(after.slice(0, end), name);
  });
}

const REGISTER_NUMBER = /\b([A-Z]{3})\s?(\d{12})(?!\d)((?:\s*(?:[,;/]|und)?\s*\d{12}(?!\d))*)/gi;

/**
 * Takes the register's numbers out of a cell, those of units and of EEG plants, wherever they stand; a list may write the
 * prefix before the first one only. The words that announce them go, too.
 */
function takeRegisterNumbers(text: string): { mastrNummern: string[]; foerderNummern: string[]; rest: string } {
  const numbers: string[] = [];
  const rest = text
    .replaceAll(REGISTER_NUMBER, (_, prefix: string, digits: string, more: string) => {
      const all = [digits, ...(more.match(/\d{12}/g) ?? [])];
      numbers.push(...all.map((one) => `${prefix.toUpperCase()}${one}`));
      return ' ';
    })
    .replaceAll(
      /(?<!\p{L})(?:RN|Registernummern?(?:\(n\))?|MaStR-?(?:Nr|Nummern?)|Anlagennummern?)(?!\p{L})\.?:?/giu,
      ' ',
    )
    .replaceAll(/\(\s*[;,]*\s*\)/g, ' ')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ :/g, ':')
    .replaceAll(/(?:\s*[;,])+\s*$/g, '');
  const ofKind = (prefix: string): string[] => [...new Set(numbers.filter((number) => number.startsWith(prefix)))];
  return { mastrNummern: ofKind('SEE'), foerderNummern: ofKind('EEG'), rest };
}
