import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { STATE_NAMES } from '../../sql/register/states.ts';
import { aggregate } from '../aggregations/aggregate.ts';
import type { KeyOperation } from '../operation/operation.ts';
import { listTenders } from '../tenders/list.ts';
import { listUnits } from '../units/list.ts';
import { calendarDay, ILL_FORMED, isStorable } from '../wire/parameters.ts';
import { plainWords } from '../wire/plain-words.ts';
import type { Query } from './ask.ts';
import { MAP_FILTERS } from './map-requests.ts';
import { filtersIn, placesIn, readPlace, type View } from './views.ts';

/** What the choices of a view may be: a link to what its page refuses would show nothing. test/api/shares/choices.test.ts compares with the pages. */

interface Choice {
  takes(text: string): boolean;
  /** Completes “has periode, which …”. */
  readonly must: string;
}

const oneOf = (...words: readonly string[]): Choice => ({
  takes: (text) => words.includes(text),
  must: `must be one of ${words.join(', ')}`,
});

const someOf = (...words: readonly string[]): Choice => ({
  takes: (text) => text.split(',').every((one) => words.includes(one)),
  must: `takes ${words.join(', ')}`,
});

const FLAG = oneOf('ja', 'nein');
const CARRIERS_SHOWN = someOf(...CARRIERS);
const CALENDAR_DAY = calendarDay();

const DAY: Choice = {
  takes: (text) => CALENDAR_DAY.safeParse(text).success && text >= '1850' && text < '2200',
  must: 'must be a calendar day YYYY-MM-DD from 1850 to 2199',
};

const YEAR: Choice = {
  takes: (text) => /^\d{4}$/.test(text) && text >= '1990' && text < '2200',
  must: 'must be a year from 1990 to 2199',
};

const PLACES: Choice = {
  takes: (text) => placesIn(text).every((place) => place === null || !('fault' in place)),
  must: 'must name places such as landkreis:09162',
};

const MAP_PLACE: Choice = {
  takes(text) {
    const place = readPlace(text);
    if ('fault' in place) return false;
    const { level, value } = place;
    if (level === 'bundesland') return Object.values(STATE_NAMES).includes(value);
    return /^\d+$/.test(value) && value.length === { landkreis: 5, gemeinde: 8, plz: 0 }[level];
  },
  must: 'must be a state by its name, or a district or municipality by its key',
};

export const SERIES = ['zubau', 'bestand', 'netto', 'abbau', 'pipeline'] as const;
export const VALUES = ['mw', 'anzahl', 'mwh'] as const;
export const BASES = ['kopf', 'absolut', 'flaeche', 'anteil', 'deutschland', 'index'] as const;
export const PERIODS = ['jahr', 'quartal', 'monat'] as const;
export const COMPARED_SPANS = ['10jahre', '5jahre', '20jahre', 'alles'] as const;
export const GROWTH_SPANS = ['5jahre', '12monate', '10jahre', 'alles'] as const;
export const GROWTH_SERIES = ['zubau', 'abbau', 'netto', 'pipeline'] as const;
export const MAP_MEASURES = [
  ...(['leistung', 'dichte', 'leistungKopf', 'anzahl', 'anzahlFlaeche', 'anzahlKopf', 'zubau', 'zubauKopf'] as const),
  ...(['pipeline', 'speicher', 'speicherKopf', 'anteilLeistung', 'anteilAnzahl'] as const),
  ...(['zuwachsLeistung', 'zuwachsLeistungProzent', 'zuwachsAnzahl', 'zuwachsAnzahlProzent'] as const),
] as const;

const CHOICES: Readonly<Record<string, Readonly<Record<string, Choice>>>> = {
  ueberblick: { traeger: CARRIERS_SHOWN },
  region: { traeger: CARRIERS_SHOWN },
  vergleich: {
    ...{ reihe: oneOf(...SERIES), wert: oneOf(...VALUES), bezug: oneOf(...BASES), traeger: CARRIERS_SHOWN },
    ...{ einzeln: FLAG, periode: oneOf(...PERIODS), zeitraum: oneOf(...COMPARED_SPANS), von: DAY, bis: DAY },
    ...{ form: oneOf('linien', 'balken', 'gestapelt', 'tabelle', 'karte'), ohne: PLACES },
  },
  zeitreihe: {
    ...{ zeitraum: oneOf(...GROWTH_SPANS), von: DAY, bis: DAY, periode: oneOf(...PERIODS), wert: oneOf(...VALUES) },
    ...{ kumuliert: FLAG, anordnung: oneOf('gestapelt', 'nebeneinander'), traeger: CARRIERS_SHOWN },
    reihen: someOf(...GROWTH_SERIES),
  },
  altersstruktur: {
    ...{ traeger: CARRIERS_SHOWN, wert: oneOf('mw', 'anzahl'), pyramide: oneOf('zusammen', 'getrennt') },
  },
  karte: {
    ...{ ebene: oneOf('landkreis', 'bundesland', 'gemeinde'), region: MAP_PLACE, wert: oneOf(...MAP_MEASURES) },
    ...{ traeger: CARRIERS_SHOWN, anteilAn: oneOf('traeger', 'alle'), von: DAY, bis: DAY, jahr: YEAR },
    ...{ klassen: oneOf('anzahl', 'faktor'), alle: FLAG },
  },
};

/** What a view asks of operations that check filters by themselves. */
function questionsOf(page: string, choices: Query): readonly (readonly [KeyOperation, Query])[] {
  if (page === 'einheiten') return [[listUnits, choices]];
  if (page === 'ausschreibungen') return [[listTenders, choices]];
  const filters = page === 'vergleich' ? filtersIn(choices.filter ?? '') : [];
  const mapFilters = Object.fromEntries(Object.entries(choices).filter(([name]) => MAP_FILTERS.includes(name)));
  return [...('fault' in filters ? [] : filters), ...(page === 'karte' ? [mapFilters] : [])].map((filter) => [
    aggregate,
    { groupBy: 'bundesland', ...filter },
  ]);
}

/** Says which choice of a view has a value that its page does not take; null = all are good. */
export function choiceFault({ page, query }: View): string | null {
  const choices: Query = Object.fromEntries(new URLSearchParams(query));
  for (const [name, value] of Object.entries(choices)) {
    const choice = CHOICES[page]?.[name];
    if (!isStorable(value)) return `has ${name}, which ${ILL_FORMED}`;
    if (choice?.takes(value) === false) return `has ${name}, which ${choice.must}`;
  }
  for (const [operation, asked] of questionsOf(page, choices)) {
    const [issue] = operation.query.safeParse(asked, { error: plainWords }).error?.issues ?? [];
    if (issue !== undefined) return `has ${String(issue.path[0] ?? '')}, which ${issue.message}`;
  }
  return null;
}
