/**
 * Parcels (Flurstücke) out of the free texts of lists and register, in one form that can be compared:
 * `gemarkung|flur|zaehler/nenner`, the Gemarkung folded, the numbers without leading zeros. Where a text names no Flur, its
 * place is empty: in Bavaria, Baden-Württemberg and parts of Saarland there is none.
 */

/** One parcel. Numbers are compared as numbers: `006/1` is `6/1`. */
export interface Parcel {
  /** As the text writes it; empty when it names none. */
  readonly gemarkung: string;
  readonly flur: number | null;
  readonly zaehler: number;
  readonly nenner: number | null;
}

/** A text with more is no list of parcels. */
const MAX_TEXT = 20_000;

/** A range of parcels in the register, `222-230`, is written out up to this many. */
const MAX_RANGE = 60;

/** A unit stands in a few Gemarkungen. */
const MAX_PLACES = 40;

/** A unit stands on a few hundred parcels at most; of a text that names more these are read. */
const MAX_PARCELS = 2000;

/** Names of places without the differences of spellings: case, umlauts, blanks, hyphens and dots. */
export const foldPlace = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '');

/** The form in which parcels are compared. */
export const parcelKey = ({ gemarkung, flur, zaehler, nenner }: Parcel): string =>
  `${foldPlace(gemarkung)}|${flur ?? ''}|${parcelNumber({ zaehler, nenner })}`;

/** `14/1`, or `14` for a parcel that was never divided. */
export const parcelNumber = ({ zaehler, nenner }: Pick<Parcel, 'zaehler' | 'nenner'>): string =>
  nenner === null ? String(zaehler) : `${zaehler}/${nenner}`;

/** The form that the interface answers: `Gemarkung/Flur/Zähler[/Nenner]`, with an empty Flur where there is none. */
export const printParcel = (parcel: Parcel): string =>
  `${parcel.gemarkung.replaceAll('/', '-')}/${parcel.flur ?? ''}/${parcelNumber(parcel)}`;

/** The parcels of the text that the interface answers, joined by `; `. */
export const parcelsOfPrinted = (text: string): Parcel[] =>
  text.split('; ').flatMap((printed) => {
    const [gemarkung, flur, zaehler, nenner] = printed.split('/');
    if (gemarkung === undefined || flur === undefined || zaehler === undefined) return [];
    return [{ gemarkung, flur: numberOrNull(flur), zaehler: Number(zaehler), nenner: numberOrNull(nenner ?? '') }];
  });

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));

const KEYWORDS =
  /(?<flur>\bflur\.?\s*:?\s*(?<number>\d{1,3})(?!\s*[\d/])\s*:?)|(?<keineFlur>\bkeine\s+flur\b|\bflur\s*-\s*:)|(?<noise>\b(?:flurst(?:ü|ue)cks?(?:e|en)?|flurst\.?|fl\.?\s*-?\s*st\.?|flur\s*-?\s*(?:nr\.?|nummern?))\s*(?:-?nr\.?|nummern?)?\s*:?)|(?<bare>(?<![\d/])\d{1,3}(?=\s*:))|(?<from>(?<![\d/])\d{1,5})\s*[-\u2013]\s*(?<to>\d{1,5})(?![\d/])|(?<zaehler>(?<![\d/])\d{1,5})(?:\s?\/\s?(?<nenner>\d{1,4}))?(?![\d])/gi;

/**
 * The parcels of one Gemarkung's text: `Flur 10: 14/1; 26/1`, `2736, 2830`, `Flur1: 5/16; Flur2: 5/6`, `10: 68/1, 74`,
 * `Flurnummer 416`, `keine Flur; 222-230`, `Flur 4, Flurstücke 18/8 und 18/9`.
 */
export function parcelsOfText(text: string, gemarkung: string): Parcel[] {
  if (text.length > MAX_TEXT) return [];
  const parcels: Parcel[] = [];
  let flur: number | null = null;
  // Register numbers have more digits than parcels, and the number of a turbine is no parcel.
  const clean = text
    .replaceAll(/\b[A-Z]{3}\d{12}\b|\b\d{6,}\b/g, ' ')
    .replaceAll(/\b(?:Anlage|WEA|WKA)\s*\d+\s*:/gi, ' ')
    .replaceAll(/\s+/g, ' ');
  const words = [...clean.matchAll(KEYWORDS)];
  for (const [index, { groups = {} }] of words.entries()) {
    if (parcels.length >= MAX_PARCELS) break;
    const { number, keineFlur, bare, from, to, zaehler, nenner } = groups;
    if (number !== undefined) {
      flur = Number(number);
    } else if (keineFlur !== undefined) flur = null;
    else if (bare !== undefined) {
      // A second colon is a list sign: "Flur5: 24/6: 297/43". A bare number before a colon is a Flur: "10: 68/1, 74".
      if (flur !== null && isAfterFlur(words, index))
        parcels.push({ gemarkung, flur, zaehler: Number(bare), nenner: null });
      else flur = Number(bare);
    } else if (from !== undefined && to !== undefined)
      parcels.push(...rangeOf(gemarkung, flur, Number(from), Number(to)));
    else if (zaehler !== undefined) {
      const parcel = {
        gemarkung,
        flur,
        zaehler: Number(zaehler),
        nenner: nenner === undefined ? null : Number(nenner),
      };
      if (parcel.zaehler > 0) parcels.push(parcel);
    }
  }
  return unique(parcels);
}

/** Says whether the word follows the keyword `Flur` at once, so that its colon is a list sign. */
const isAfterFlur = (words: readonly RegExpExecArray[], index: number): boolean =>
  words[index - 1]?.groups?.number !== undefined;

function rangeOf(gemarkung: string, flur: number | null, from: number, to: number): Parcel[] {
  if (to < from || to - from >= MAX_RANGE) return [{ gemarkung, flur, zaehler: from, nenner: null }];
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    gemarkung,
    flur,
    zaehler: from + index,
    nenner: null,
  }));
}

function unique(parcels: readonly Parcel[]): Parcel[] {
  return [...new Map(parcels.map((parcel) => [printParcel(parcel), parcel])).values()];
}

/**
 * The parcels of a unit in the register, whose two fields are free text: Gemarkungen separated by comma or slash, and the
 * parcels of all of them. Every Gemarkung is combined with every parcel, unless the text says which is whose:
 * `Flur 1: 92; 100 (Libbenichen); Flur 1: 137 (Carzig)`.
 */
export function parcelsOfRegister(gemarkung: string | null, flurstuecke: string | null): Parcel[] {
  if (flurstuecke === null) return [];
  // "Waldsee Flur 4" stands in the field of the Gemarkung.
  const flur = /\bflur\s*(\d{1,3})\b/i.exec(gemarkung ?? '')?.[0] ?? '';
  const names = (gemarkung ?? '')
    .replace(/\bflur\s*\d{1,3}\b/i, ' ')
    .split(/[,;/]| und /)
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, MAX_PLACES);
  const places = names.length === 0 ? [''] : names;
  // A match begins behind a bracket or with the text: begun anywhere, the search would take the square of the text's length.
  const assigned = [...flurstuecke.matchAll(/(?<![^()])([^()]*)\(([^()\d]{2,60})\)/g)].filter(([, , name = '']) =>
    places.some((place) => foldPlace(place) === foldPlace(name)),
  );
  if (assigned.length > 0) {
    return unique(assigned.flatMap(([, parcels = '', name = '']) => parcelsOfText(`${flur} ${parcels}`, name.trim())));
  }
  const [first = '', ...others] = places;
  const parcels = parcelsOfText(flur === '' ? flurstuecke : `${flur}: ${flurstuecke}`, first);
  const further = others.slice(0, Math.floor(MAX_PARCELS / Math.max(1, parcels.length)));
  return unique([first, ...further].flatMap((gemarkung) => parcels.map((parcel) => ({ ...parcel, gemarkung }))));
}

/** The keys of parcels, by which both sides of a comparison find what they have in common. */
export const parcelKeys = (parcels: readonly Parcel[]): ReadonlySet<string> => new Set(parcels.map(parcelKey));
