import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import type { Call } from '../operation/operation.ts';
import { zeitreihe } from '../regions/zeitreihe.ts';
import { ask, type Query } from './ask.ts';
import { BASES, COMPARED_SPANS, GROWTH_SERIES, GROWTH_SPANS, SERIES, VALUES } from './choices.ts';
import * as periods from './periods.ts';
import type { Picture } from './picture.ts';
import { nameOf } from './places.ts';
import type { Area } from './rules.ts';
import { placesIn } from './views.ts';
import { carrierName, carrierNames, type Say } from './words.ts';

/** The figures of Vergleich and Zeitreihe, computed as these pages compute them (dashboards/web/pages/vergleich/series.ts). */

/** A row of the interface, whose other members are numbers. */
type Row = { readonly periode: string; readonly energietraeger: string } & Readonly<Record<string, unknown>>;
type Values = readonly (number | null)[];
type Flow = 'zubau' | 'abbau' | 'pipeline';

interface Measure {
  readonly reihe: (typeof SERIES)[number];
  readonly wert: (typeof VALUES)[number];
  readonly bezug: (typeof BASES)[number];
}

interface Window {
  readonly kind: periods.Kind;
  readonly range: periods.Range;
  /** The period in which the data end. */
  readonly now: number;
}

const exact = (value: number): number => Number(value.toFixed(6));

/** The first word is the usual one. */
const chosen = <Word extends string>(words: readonly [Word, ...Word[]], text: string | null): Word =>
  words.find((word) => word === text) ?? words[0];

const membersOf = ({ wert, bezug }: Measure): string => {
  const end = { kopf: 'Je1000Einwohner', flaeche: 'JeKm2' }[bezug as string] ?? '';
  return { mw: end === '' ? 'Mw' : 'Kw', anzahl: 'Anzahl', mwh: 'Mwh' }[wert] + end;
};

/** Amounts of each period. @param carriers null = all of them */
function sumsOf(rows: readonly Row[], measure: Measure, carriers: readonly string[] | null, window: Window): Values {
  const { kind, range, now } = window;
  const { reihe } = measure;
  const member = membersOf(measure);
  const amount = (row: Row, flow: Flow): number | null => {
    const value = row[`${flow}${member}`];
    return typeof value === 'number' ? value : null;
  };
  const sums = new Array<number | null>(range.last - range.first + 1).fill(rows.length === 0 ? null : 0);
  for (const row of rows) {
    const period = periods.periodNumber(kind, row.periode);
    if (period > range.last || (carriers !== null && !carriers.includes(row.energietraeger))) continue;
    // A stock has all that came before; what is left out of a flow is no part of it.
    if (period < range.first && reihe !== 'bestand') continue;
    const at = Math.max(0, period - range.first);
    const isBoth = reihe === 'bestand' || reihe === 'netto';
    const [came, went] = isBoth ? [amount(row, 'zubau'), amount(row, 'abbau')] : [amount(row, reihe), 0];
    const before = sums[at] ?? null;
    sums[at] = before === null || came === null || went === null ? null : before + came - went;
  }
  let stock: number | null = 0;
  return sums.map((sum, at) => {
    stock = stock === null || sum === null ? null : stock + sum;
    const value = reihe === 'bestand' ? stock : sum;
    return value === null || (reihe !== 'pipeline' && range.first + at > now) ? null : exact(value);
  });
}

/** Per cent of a whole, where there is one. */
const parts = (some: Values, whole: Values): Values =>
  some.map((part, at) => {
    const all = whole[at] ?? null;
    return part === null || all === null || all <= 0 ? null : exact((part / all) * 100);
  });

const analysis = (place: Area): Query => (place === null ? {} : { ebene: place.level, region: place.value });

/** Years of spans that are chosen by their name; others reach as far as there are data. */
const YEARS: Readonly<Record<string, number>> = { '12monate': 1, '5jahre': 5, '10jahre': 10, '20jahre': 20 };
const YEARS_AHEAD: Readonly<Record<string, number>> = { '12monate': 1, '5jahre': 2, '10jahre': 3 };

/** The first period in which anything grew, and the last for which anything is planned. */
function knownRange(rows: readonly Row[], kind: periods.Kind): periods.Range {
  const those = (member: string) =>
    rows.filter((row) => Number(row[member]) > 0).map(({ periode }) => periods.periodNumber(kind, periode));
  return {
    first: those('zubauAnzahl').reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY),
    last: those('pipelineAnzahl').reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY),
  };
}

const valueWord = ({ wert, bezug }: Measure, say: Say): string => {
  const isRatio = bezug === 'kopf' || bezug === 'flaeche';
  return {
    mw: isRatio ? say('kW brutto', 'kW gross') : say('MW brutto', 'MW gross'),
    anzahl: say('Einheiten', 'units'),
    mwh: say('MWh nutzbare Speicherkapazität', 'MWh usable storage capacity'),
  }[wert];
};

function unitOf(measure: Measure, { kind, range }: Window, say: Say): string {
  const amount = {
    mw: say('der Leistung', 'of the power'),
    anzahl: say('der Zahl der Einheiten', 'of the number of units'),
    mwh: say('der Speicherkapazität', 'of the storage capacity'),
  }[measure.wert];
  const word = valueWord(measure, say);
  const basis = {
    absolut: word,
    kopf: say(`${word} je 1.000 Einwohner`, `${word} per 1,000 inhabitants`),
    flaeche: say(`${word} je km²`, `${word} per km²`),
    anteil: say(`% ${amount} aller Energieträger des Orts`, `% ${amount} of all carriers of the place`),
    deutschland: say(`% ${amount} in Deutschland`, `% ${amount} in Germany`),
    index: `Index ${amount}, ${periods.periodName(kind, range.first)} = 100`,
  }[measure.bezug];
  const counted = {
    zubau: say('in Betrieb genommen', 'gone into operation'),
    bestand: say('Zubau minus Abbau bis zum Ende der Periode', 'added minus removed until the end of the period'),
    netto: say('Zubau minus Abbau', 'added minus removed'),
    abbau: say('stillgelegt', 'shut down'),
    pipeline: say('nach dem geplanten Termin', 'by the planned date'),
  }[measure.reihe];
  return `${basis}, ${counted}`;
}

const seriesName = (reihe: Measure['reihe'], say: Say): string =>
  ({
    zubau: say('Zubau', 'Added'),
    bestand: say('Bestand', 'Stock'),
    netto: say('Nettozubau', 'Net additions'),
    abbau: say('Abbau', 'Removed'),
    pipeline: 'Pipeline',
  })[reihe];

/** Vergleich: a line for each place, or for each carrier of the only place. @param asOf day of the register */
export async function comparison(
  choices: URLSearchParams,
  asOf: string,
  call: Call,
  say: Say,
): Promise<Picture | null> {
  const kind = periods.kindOf(choices.get('periode'), 'jahr');
  const measure: Measure = {
    reihe: chosen(SERIES, choices.get('reihe')),
    wert: chosen(VALUES, choices.get('wert')),
    bezug: chosen(BASES, choices.get('bezug')),
  };
  const { reihe, wert, bezug } = measure;
  const carriers = choices.get('traeger')?.split(',') ?? ['solar'];
  const hidden = (choices.get('ohne') ?? '').split(/,(?=[a-z]+:|deutschland(?:,|$))/);
  const all = placesIn(choices.get('orte') ?? '').filter((one) => one === null || !('fault' in one)) as readonly Area[];
  const textOf = (place: Area): string => (place === null ? 'deutschland' : `${place.level}:${place.value}`);
  const places = [...new Map(all.map((place) => [textOf(place), place])).values()];
  const isSplit = choices.get('einzeln') === 'ja' && carriers.length > 1;
  // The page divides energy by itself, and has charts beside each other for what is split in two ways.
  const isByPlace = bezug === 'kopf' || bezug === 'flaeche';
  if (choices.has('filter') || (isByPlace && wert === 'mwh') || (isSplit && places.length > 1)) return null;

  const rowsOf = async (place: Area) =>
    (await ask(zeitreihe, { ...analysis(place), periode: kind }, call)) as readonly Row[];
  const answers = await Promise.all(places.map(rowsOf));
  const country = bezug === 'deutschland' ? await rowsOf(null) : [];
  const known = knownRange(
    answers.flat().filter(({ energietraeger }) => carriers.includes(energietraeger)),
    kind,
  );
  const span = chosen(COMPARED_SPANS, choices.get('zeitraum'));
  const now = periods.periodOfDay(kind, asOf);
  const length = periods.yearsLong(kind, YEARS[span] ?? Number.POSITIVE_INFINITY);
  const over = periods.endsPeriod(kind, asOf) ? now : now - 1;
  const usual =
    reihe === 'pipeline'
      ? { first: now, last: Math.max(now, Math.min(known.last, now + length - 1)) }
      : { first: Number.isFinite(length) ? over - length + 1 : Math.min(known.first, over), last: over };
  const window = { kind, range: periods.rangeOf(kind, usual, choices.get('von'), choices.get('bis')), now };

  const valuesOf = (rows: readonly Row[], those: readonly string[]): Values => {
    const own = sumsOf(rows, measure, those, window);
    if (bezug === 'anteil') return parts(own, sumsOf(rows, measure, null, window));
    if (bezug === 'deutschland') return parts(own, sumsOf(country, measure, those, window));
    if (bezug === 'index') return parts(own, new Array(own.length).fill(own[0] ?? null));
    return own;
  };
  const names = await Promise.all(places.map((place) => nameOf(place, call, say)));
  const series = places.flatMap((place, index) => {
    const rows = answers[index] ?? [];
    if (hidden.includes(textOf(place))) return [];
    return isSplit
      ? carriers.map((carrier) => ({ name: carrierName(carrier, say), values: valuesOf(rows, [carrier]) }))
      : [{ name: names[index] ?? '', values: valuesOf(rows, carriers) }];
  });
  const where = isSplit ? `: ${names.join(', ')}` : '';
  const what = `${seriesName(reihe, say)} ${carrierNames(carriers, say)}`;
  return {
    title: `${what}, ${periods.spanText(kind, window.range, say)}${where}`,
    unit: unitOf(measure, window, say),
    lines: { periods: periods.namesOf(kind, window.range), series },
  };
}

/** Zeitreihe: a line for each series that is shown. @param asOf day of the register */
export async function growth(
  choices: URLSearchParams,
  place: Area,
  asOf: string,
  call: Call,
  say: Say,
): Promise<Picture> {
  const kind = periods.kindOf(choices.get('periode'), 'quartal');
  const carriers = choices.get('traeger')?.split(',') ?? CARRIERS;
  const wert = chosen(VALUES, choices.get('wert'));
  const chosenSeries = choices.get('reihen')?.split(',');
  const shown = GROWTH_SERIES.filter((one) => chosenSeries === undefined || chosenSeries.includes(one));
  const rows = (await ask(zeitreihe, { ...analysis(place), periode: kind }, call)) as readonly Row[];
  const span = chosen(GROWTH_SPANS, choices.get('zeitraum'));
  const now = periods.periodOfDay(kind, asOf);
  const [first, last = first] = [rows[0], rows.at(-1)].map((row) =>
    row === undefined ? now : periods.periodNumber(kind, row.periode),
  );
  const ahead = shown.includes('pipeline') ? periods.yearsLong(kind, YEARS_AHEAD[span] ?? 0) : 0;
  const isAll = span === 'alles';
  const usual = {
    first: isAll ? (first ?? now) : now - periods.yearsLong(kind, YEARS[span] ?? 0) + 1,
    last: isAll && shown.includes('pipeline') ? Math.max(now, last ?? now) : now + ahead,
  };
  const range = periods.rangeOf(kind, usual, choices.get('von'), choices.get('bis'));
  const isCumulative = choices.get('kumuliert') === 'ja';
  const series = shown.map((reihe) => {
    const values = sumsOf(rows, { reihe, wert, bezug: 'absolut' }, carriers, { kind, range, now });
    let sum = 0;
    const running = values.map((value, at) => {
      // Plans for the time before the day of the data were not kept, and add nothing.
      if (value === null || (reihe === 'pipeline' && range.first + at < now)) return null;
      sum = exact(sum + value);
      return sum;
    });
    return { name: seriesName(reihe, say), values: isCumulative ? running : values };
  });
  const names = shown.map((reihe) => seriesName(reihe, say)).join(', ');
  const cumulative = isCumulative ? say(', kumuliert', ', cumulated') : '';
  const word = valueWord({ reihe: 'zubau', wert, bezug: 'absolut' }, say);
  const each = { jahr: say('je Jahr', 'by year'), quartal: say('je Quartal', 'by quarter') } as const;
  const by = kind === 'monat' ? say('je Monat', 'by month') : each[kind];
  return {
    title: `${names}${cumulative}: ${await nameOf(place, call, say)}, ${periods.spanText(kind, range, say)}`,
    unit: `${word} ${by}; ${carrierNames(carriers, say)}`,
    lines: { periods: periods.namesOf(kind, range), series },
  };
}
