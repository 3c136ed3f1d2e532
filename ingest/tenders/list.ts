import { type AwardNumber, awardId, hashedAwardId, roundCode } from '../../sql/tenders/award-number.ts';
import { type Calendar, type CalendarRound, keyOf } from '../../sql/tenders/calendar.ts';
import { procedureNamed, SERIES_OF } from '../../sql/tenders/series.ts';
import { type TenderKey, tenderId } from '../../sql/tenders/technologies.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { formOf } from '../scan/form.ts';
import { TenderFindings } from './findings.ts';
import { readListHeader } from './list-header.ts';
import { type ListRow, readListRows } from './list-rows.ts';
import { hasPlace } from './location.ts';
import type { TenderFile } from './read-file.ts';
import type { ListedAward } from './round.ts';
import type { Sheet } from './sheet.ts';
import type { StoredList } from './store.ts';
import { dayIn, dayInName, daysAfter, daysBetween, textOf } from './values.ts';

/** An award list that was read, and the round that it names. */
export interface ReadList {
  readonly key: TenderKey;
  readonly liste: StoredList;
}

/** A list whose round can be told, although it was refused. */
export class ListRefused extends BuildRefused {
  readonly key: TenderKey | null;

  constructor(message: string, key: TenderKey | null) {
    super(message);
    this.key = key;
  }
}

/** Rows in which a broken list may have its title. */
const TITLE_ROWS = 10;

/** A date in the title that is this near to the calendar's is the same: bid dates move to the next working day. */
const SAME_DATE_DAYS = 7;

/**
 * Reads an award list.
 * @throws ListRefused when columns are missing, no award number is one, or its round cannot be told
 */
export function readList(file: TenderFile, sheet: Sheet, headerAt: number, calendar: Calendar): ReadList {
  const guess = guessRound(sheet, file, calendar);
  try {
    return readRound(file, sheet, headerAt, calendar);
  } catch (error) {
    throw error instanceof BuildRefused ? new ListRefused(error.message, guess) : error;
  }
}

function readRound(file: TenderFile, sheet: Sheet, headerAt: number, calendar: Calendar): ReadList {
  const findings = new TenderFindings();
  const header = readListHeader(sheet, headerAt);
  for (const label of header.unknown) findings.add('ausschreibung_spalte_unbekannt', label, 'nicht gelesen', file.name);
  const rows = readListRows(sheet, header, findings);
  const main = mainRound(rows);
  const title = dateOfTitles(header.titles);
  const { key, learned } = dateRound(main, title, dayInName(file.name), calendar, findings);
  const awards = awardsOf(rows, main, tenderId(key), findings);
  return {
    key,
    liste: {
      quelle: `Liste der Zuschläge (${file.name})`,
      pruefsumme: file.digest,
      bekanntgabe: announcedIn(header.titles),
      kalender: learned,
      zuschlaege: awards,
      befunde: findings.list(),
    },
  };
}

/** The round that most numbers name: typing errors name others. */
function mainRound(rows: readonly ListRow[]): AwardNumber {
  const numbers = rows.flatMap(({ numbers }) => numbers.numbers);
  const [most, second] = [...Map.groupBy(numbers, roundCode).values()].toSorted((a, b) => b.length - a.length);
  const first = most?.[0];
  if (most === undefined || first === undefined) {
    const found = rows.find(({ rawNumber }) => rawNumber !== '')?.rawNumber;
    throw new BuildRefused(
      `none of its ${rows.length} rows has an award number such as WIN19-6/026` +
        (found === undefined ? '' : `; the column has ${formOf(found)}`),
    );
  }
  if (second !== undefined && most.length * 2 <= numbers.length) {
    const codes = [...new Set(numbers.map(roundCode))].sort();
    throw new BuildRefused(`it has awards of several rounds (${codes.slice(0, 6).join(', ')}); load a list for each`);
  }
  return first;
}

/** The bid date: what the list says itself, else the calendar, else the name of the file. */
function dateRound(
  main: AwardNumber,
  title: string | null,
  named: string | null,
  calendar: Calendar,
  findings: TenderFindings,
): { key: TenderKey; learned: CalendarRound[] } {
  const known = calendar.byCode.get(roundCode(main));
  const datum = known?.datum ?? null;
  const said = title ?? (datum === null ? named : null);
  if (datum !== null && (said === null || daysBetween(said, datum) <= SAME_DATE_DAYS)) {
    return { key: { ...SERIES_OF[main.serie], datum }, learned: [] };
  }
  if (said === null) {
    throw new BuildRefused(
      `the bid date of ${roundCode(main)} is not known: neither title nor file name has one, and the calendar ` +
        (known === undefined ? 'has no such round' : 'has the round without its date'),
    );
  }
  if (datum !== null) {
    findings.add('gebotstermin_abweichend', 'Gebotstermin', `${said} statt ${datum}`, roundCode(main));
  }
  const { serie, jahr, ordnungszahl } = main;
  const learned = { serie, jahr, ordnungszahl, datum: said, ...SERIES_OF[serie], beleg: 'geladen' };
  return { key: { ...SERIES_OF[serie], datum: said }, learned: [learned] };
}

const dateOfTitles = (titles: readonly string[]): string | null =>
  titles
    .filter((title) => /gebotstermin|ausschreibung|zuschl/i.test(title) && title.length < 300)
    .map((title) => dayIn(title.replace(/^.*?gebotstermin/is, '')) ?? dayIn(title))
    .find((day) => day !== null) ?? null;

/** The day from which the law's periods run: one week after publication (§ 35 (2) EEG), unless the list names it. */
function announcedIn(titles: readonly string[]): string | null {
  for (const title of titles) {
    const announced = /(?:als|gelten)\b[^.]{0,40}\bbekannt\s?ge(?:geben|macht)\D{0,40}(.{0,25})/i.exec(title)?.[1];
    if (announced !== undefined && dayIn(announced) !== null) return dayIn(announced);
    const published = /ver(?:ö|oe)ffentlich\w*\D{0,30}(.{0,25})/i.exec(title)?.[1];
    const day = published === undefined ? null : dayIn(published);
    if (day !== null) return daysAfter(day, 7);
  }
  return null;
}

/** The round of a list that may be broken: by an award number in it, else by technology and date of titles and file name. */
export function guessRound({ rows, name }: Sheet, file: TenderFile, calendar: Calendar): TenderKey | null {
  for (const cell of rows.flat()) {
    const code = /\b(WIN|SOL|SDA|BIO|BME|INN|GEM|GEE|FFA|I?KWK)(\d{2})-(\d{1,2})[-/]\d{1,4}\b/i.exec(textOf(cell));
    const round = code === null ? undefined : calendar.byCode.get(printedCode(code));
    const key = round === undefined ? null : keyOf(round);
    if (key !== null) return key;
  }
  const titles = rows.slice(0, TITLE_ROWS).flatMap((row) => row.map(textOf));
  const datum = dateOfTitles(titles) ?? dayInName(file.name);
  const procedure = procedureNamed(
    [...titles.filter((title) => /zuschl|ausschreib/i.test(title)), name, file.name].join(' '),
  );
  if (datum === null || procedure === null) return null;
  // A round that nobody knows of is not made up from a broken list.
  const key = { ...procedure, datum };
  return calendar.rounds.some((round) => round.datum === datum && tenderId({ ...round, datum }) === tenderId(key))
    ? key
    : null;
}

const printedCode = ([, serie = '', year = '', round = '']: RegExpExecArray): string =>
  roundCode({
    serie: serie.toUpperCase() as AwardNumber['serie'],
    jahr: 2000 + Number(year),
    ordnungszahl: Number(round),
  });

function awardsOf(
  rows: readonly ListRow[],
  main: AwardNumber,
  tender: number,
  findings: TenderFindings,
): ListedAward[] {
  const awards = new Map<number, ListedAward>();
  const unnumbered: { text: string; row: ListRow }[] = [];
  for (const row of rows) {
    const { numbers, rawNumber } = row;
    if (numbers.repaired) {
      findings.add(
        'zuschlagsnummer_berichtigt',
        'Zuschlagsnummer',
        'verwechselte Buchstaben',
        numbers.numbers[0]?.text ?? '',
      );
    }
    const own = numbers.numbers.filter((number) => roundCode(number) === roundCode(main));
    for (const number of own)
      keep(awards, awardOf(row, number.text, awardId(tender, number.laufnummer), tender), findings);
    const others = numbers.numbers.filter((number) => roundCode(number) !== roundCode(main));
    for (const { text } of others)
      findings.add('zuschlagsnummer_andere_runde', 'Zuschlagsnummer', 'andere Runde als die Liste', text);
    for (const part of numbers.rest)
      findings.add('zuschlagsnummer_unlesbar', 'Zuschlagsnummer', formOf(part), roundCode(main));
    if (rawNumber === '') findings.add('zuschlag_unvollstaendig', 'Zuschlagsnummer', 'ohne Nummer', roundCode(main));
    if (own.length === 0) unnumbered.push({ row, text: others[0]?.text ?? rawNumber });
    countLocation(row, own[0]?.text ?? roundCode(main), findings);
  }
  for (const { text, row } of unnumbered.toSorted((a, b) => (folded(a) < folded(b) ? -1 : 1))) {
    let attempt = 0;
    while (awards.has(hashedAwardId(tender, folded({ text, row }), attempt))) attempt += 1;
    const award = awardOf(row, publishable(text), hashedAwardId(tender, folded({ text, row }), attempt), tender);
    awards.set(award.id, award);
  }
  return [...awards.values()].toSorted((a, b) => a.id - b.id);
}

/** Rows of one number are one award: the list has it twice, or a line for each of its places. */
function keep(awards: Map<number, ListedAward>, award: ListedAward, findings: TenderFindings): void {
  const before = awards.get(award.id);
  if (before === undefined) {
    awards.set(award.id, award);
    return;
  }
  findings.add('zuschlagsnummer_doppelt', 'Zuschlagsnummer', 'mehrere Zeilen', award.zuschlagsnummer ?? '');
  if (before.flurstueckRoh === award.flurstueckRoh) return;
  awards.set(award.id, {
    ...before,
    bundesland: before.bundesland ?? award.bundesland,
    landkreis: before.landkreis ?? award.landkreis,
    plz: before.plz ?? award.plz,
    gemeinde: before.gemeinde ?? award.gemeinde,
    gemarkung: before.gemarkung ?? award.gemarkung,
    flurstueck: joined(before.flurstueck, award.flurstueck, '; '),
    flurstueckRoh: joined(before.flurstueckRoh, award.flurstueckRoh, '\n'),
    mastrNummern: [...new Set([...before.mastrNummern, ...award.mastrNummern])],
    foerderNummern: [...new Set([...before.foerderNummern, ...award.foerderNummern])],
  });
}

const joined = (a: string | null, b: string | null, separator: string): string | null =>
  a === null || b === null ? (a ?? b) : `${a}${separator}${b}`;

function countLocation({ location }: ListRow, example: string, findings: TenderFindings): void {
  if (location.flurstueckRoh === null) {
    findings.add('zuschlag_unvollstaendig', 'Standort', 'ohne Standort', example);
  } else if (!hasPlace(location) && location.mastrNummern.length + location.foerderNummern.length === 0) {
    findings.add('zuschlag_standort_unlesbar', 'Standort', 'kein Ort und keine Registernummer', example);
  }
}

const awardOf = (
  { gebotsmengeKw, location }: ListRow,
  zuschlagsnummer: string | null,
  id: number,
  gebotstermin: number,
): ListedAward => ({ id, gebotstermin, zuschlagsnummer, gebotsmengeKw, ...location });

/** Identifies an award whose number does not parse; without any number its place does. */
const folded = ({ text, row }: { text: string; row: ListRow }): string =>
  (text === '' ? (row.location.flurstueckRoh ?? '') : text).toUpperCase().replaceAll(/[^\p{L}\p{N}/-]/gu, '');

/** A text in the place of an award number is answered as it is published when it can be a number, and no name. */
const publishable = (text: string): string | null => (/^(?=.*\d)[\p{Lu}\d\s/.-]{1,24}$/u.test(text) ? text : null);
