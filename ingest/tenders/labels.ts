import { type Cell, textOf } from './values.ts';

/** Column headings in every spelling that lists, workbooks and overviews use. Columns are found by them, never by position. */

export type ListColumn =
  | 'zuschlagsnummer'
  | 'standort'
  | 'mastrNummern'
  | 'gebotsmenge'
  | 'bundesland'
  | 'landkreis'
  | 'plz'
  | 'gemeinde'
  | 'gemarkung'
  | 'flur'
  | 'flurstueck'
  /** Read for nothing but the check that a row is complete; never kept. */
  | 'bieter'
  /** Columns that are known and not needed: the bid number, the payment reference, the line number. */
  | 'uebergangen';

export type Figure =
  | 'gebotstermin'
  | 'verfahren'
  | 'volumenAusgeschriebenKw'
  | 'volumenBeworbenKw'
  | 'volumenBezuschlagtKw'
  | 'zuschlaege'
  | 'gebotNiedrigstesCtKwh'
  | 'gebotHoechstesCtKwh'
  | 'zuschlagswertDurchschnittCtKwh'
  | 'hoechstwertCtKwh'
  | 'uebergangen';

/** A label without differences of spelling: case, umlauts, hyphens, line breaks, asterisks, dots and added remarks. */
const foldLabel = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replaceAll(/\([^)]*\)?|\[[^\]]*\]?/g, '')
    .replaceAll(/[^a-z0-9]/g, '');

const LIST_LABELS: readonly (readonly [pattern: RegExp, column: ListColumn])[] = [
  [/^zuschlagsn(r|ummern?)$|^zuschlagn(r|ummer)$|^nummerdeszuschlags$/, 'zuschlagsnummer'],
  [
    /^(name|firma)(des|der)?(bieters?|bieterin|unternehmens)?(inkw)?$|^bieter(in|name)?$|^bezuschlagterbieter$/,
    'bieter',
  ],
  [/^gebots?n(r|ummern?)$|^kassenzeichen$|^(lfd|laufende)?n(r|ummer)$|^gebotstermin$|^energietraeger$/, 'uebergangen'],
  [
    /^(angegebene[rn]?|geplante[rn]?)?(anlagen)?standorte?(s?angaben?)?(der|des)?(anlagen?|vorhabens|gebots|projekts)?(laut|lt)?(gebot)?$/,
    'standort',
  ],
  [
    /^(see)?(mastr|marktstammdatenregister|register|anlagenregister|anlagen|eeganlagen)(n(r|ummern?))(dereinheit|deranlage|n)?$/,
    'mastrNummern',
  ],
  [
    /^(gebotsmenge|zuschlagsmenge|bezuschlagte(gebots)?menge|zuschlagsvolumen|bezuschlagteleistung)(inkw|inmw|kw|mw)?$/,
    'gebotsmenge',
  ],
  [/^bundesland$/, 'bundesland'],
  [/^(landkreis|kreis)(kreisfreiestadt)?$/, 'landkreis'],
  [/^(plz|postleitzahl)$/, 'plz'],
  [/^(gemeinde|stadtgemeinde|gemeindestadt|ort)$/, 'gemeinde'],
  [/^gemarkung(en)?$/, 'gemarkung'],
  [/^flur(nr|nummer)?$/, 'flur'],
  [/^flurstuecke?(n(r|ummern?))?$/, 'flurstueck'],
];

/** The column of an award list that a heading names; null for one that is not known. */
export function listColumnOf(label: string): ListColumn | null {
  const folded = foldLabel(label);
  if (folded === '') return null;
  return LIST_LABELS.find(([pattern]) => pattern.test(folded))?.[1] ?? null;
}

/** Amounts after awards were cancelled; the service answers the amounts at award. */
const CANCELLED = /entwert|zurueckgegeben|zurueckgenommen|nachzweitsicherheit|nacheingangderzweit/;

const FIGURE_LABELS: readonly (readonly [pattern: RegExp, figure: Figure])[] = [
  [/^gebotstermine?$/, 'gebotstermin'],
  [/^verfahren$|^ausschreibungsverfahren$/, 'verfahren'],
  [CANCELLED, 'uebergangen'],
  [/^(zulaessiger)?hoechstwert/, 'hoechstwertCtKwh'],
  [/^gebotsausschl|ausschluss|ausgeschlossen/, 'uebergangen'],
  [/^(ausschreibungsvolumen|ausgeschriebenes?(menge|volumen)|ausschreibungsmenge)/, 'volumenAusgeschriebenKw'],
  [/^(eingereichte)?gebotsmenge|^gebotsvolumen/, 'volumenBeworbenKw'],
  [/^zuschlags(menge|volumen)|^bezuschlagtes?(menge|volumen|gebotsmenge)/, 'volumenBezuschlagtKw'],
  [/^(anzahl|zahl)?(der)?(zuschlaege|bezuschlagtengebote)$|^bezuschlagtegebote$/, 'zuschlaege'],
  [/^(anzahl|zahl)?(der)?(eingereichten?)?gebote$/, 'uebergangen'],
  [/^durchschnittlicher.*zuschlagswert|^mengengewichteter.*zuschlagswert/, 'zuschlagswertDurchschnittCtKwh'],
  [/^niedrigster(gebotswert|zuschlagswert)/, 'gebotNiedrigstesCtKwh'],
  [/^hoechster(gebotswert|zuschlagswert)/, 'gebotHoechstesCtKwh'],
];

/** Headings inside of a block, with their meanings in the block of the awards and in that of the bids. */
const IN_BLOCK: readonly (readonly [pattern: RegExp, ofAwards: Figure, ofBids: Figure])[] = [
  [/mittel|durchschnitt/, 'zuschlagswertDurchschnittCtKwh', 'uebergangen'],
  [/^(min|niedrigst|kleinst)/, 'gebotNiedrigstesCtKwh', 'uebergangen'],
  [/^(max|hoechst|groesst)/, 'gebotHoechstesCtKwh', 'uebergangen'],
  [/^(anzahl|zahl)$/, 'zuschlaege', 'uebergangen'],
  [/^(menge|volumen|leistung)(kw|mw)?$/, 'volumenBezuschlagtKw', 'volumenBeworbenKw'],
];

/**
 * The figure that a heading names.
 * @param block the title above it where headings have two rows. Two columns of a workbook are called "Gew. Mittel": only the
 *   one in the block of the awards is meant.
 */
export function figureOf(block: string, label: string): Figure | null {
  const above = foldLabel(block);
  const folded = foldLabel(label);
  const inBlock = above === '' ? null : figureInBlock(above, folded);
  if (inBlock !== null) return inBlock;
  for (const text of [folded, above]) {
    const figure = FIGURE_LABELS.find(([pattern]) => text !== '' && pattern.test(text))?.[1];
    if (figure !== undefined) return figure;
  }
  return /^zuschlagswert$/.test(folded) ? 'zuschlagswertDurchschnittCtKwh' : null;
}

/** Blocks are named after values, `Zuschlagswert (ct/kWh)`, or after awards, `Zuschläge`, with `Anzahl` and `Menge`. */
function figureInBlock(block: string, label: string): Figure | null {
  const ofAwards = /^(erteilte)?zuschl|zuschlagswert|bezuschlagt/.test(block);
  const ofBids = !ofAwards && /^(eingereichte)?gebot(e$|sw)/.test(block);
  if ((!ofAwards && !ofBids) || CANCELLED.test(label) || /hoechstwert/.test(label)) return null;
  const found = IN_BLOCK.find(([pattern]) => pattern.test(label));
  return found === undefined ? null : ofAwards ? found[1] : found[2];
}

/** Counts the cells of a row that are headings of lists or figures. */
export const knownLabels = (row: readonly Cell[]): number =>
  row.filter((cell) => {
    const text = textOf(cell);
    return text.length < 80 && (listColumnOf(text) !== null || figureOf('', text) !== null);
  }).length;

/** Headings of two rows: each column's own and the title above, which stands only over the first of its columns. */
export function joinedLabels(
  top: readonly Cell[],
  bottom: readonly Cell[],
): { readonly block: string; readonly label: string }[] {
  let block = '';
  return Array.from({ length: Math.max(top.length, bottom.length) }, (_, column) => {
    const above = textOf(top[column]);
    const label = textOf(bottom[column]);
    if (above !== '') block = above;
    else if (label === '') block = '';
    return label === '' ? { block: '', label: above } : { block, label };
  });
}
