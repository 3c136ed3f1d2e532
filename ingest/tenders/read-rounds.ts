import type { Calendar } from '../../sql/tenders/calendar.ts';
import { type TenderKey, tenderId } from '../../sql/tenders/technologies.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { readFigures } from './figures.ts';
import { TenderFindings } from './findings.ts';
import { guessRound, ListRefused, readList } from './list.ts';
import { headerRow, headingsFound } from './list-header.ts';
import { joinedLists } from './lists-of-round.ts';
import type { TenderFile } from './read-file.ts';
import { referenceRounds } from './reference.ts';
import type { TenderFinding, TenderRound } from './round.ts';
import type { StoredFigures, StoredList } from './store.ts';
import { dayInName } from './values.ts';

/** The content of a file about one round. */
export interface ReadRound {
  readonly key: TenderKey;
  readonly liste: StoredList | null;
  readonly statistik: StoredFigures | null;
}

/** Figures in round megawatts are rounded by their source. */
const ROUNDED_KW = 1000;

const COMPARED = [
  'volumenAusgeschriebenKw',
  'volumenBeworbenKw',
  'volumenBezuschlagtKw',
  'zuschlagswertDurchschnittCtKwh',
  'hoechstwertCtKwh',
] as const;

/**
 * The rounds of a file: an award list has one, a workbook or an overview many. A file is read whole or not at all.
 * @throws BuildRefused saying what is missing
 */
export function readRounds(file: TenderFile, calendar: Calendar): ReadRound[] {
  const known = new Map(referenceRounds().map((round) => [round.id, round]));
  const rounds = new Map<number, ReadRound>();
  const passedOver = new TenderFindings();
  const refusals: ListRefused[] = [];
  for (const sheet of file.sheets) {
    const header = headerRow(sheet);
    if (header !== null) {
      const { key, liste } = readList(file, sheet, header, calendar);
      merge(rounds, { key, liste, statistik: null });
      continue;
    }
    const headings = headingsFound(sheet);
    const figures = headings === null ? readFigures(file, sheet) : null;
    if (figures !== null) {
      for (const { key, statistik } of figures) {
        const differences = differencesTo(known.get(tenderId(key)), statistik);
        merge(rounds, { key, liste: null, statistik: withFindings(statistik, differences) });
      }
    } else if (headings !== null) {
      const message = `it has no column of award numbers (Zuschlagsnummer); its headings are ${headings}`;
      refusals.push(new ListRefused(message, guessRound(sheet, file, calendar)));
    } else if (sheet.rows.length > 0 && dayInName(sheet.name) === null) {
      // A workbook has a sheet for each bid date besides the overview, which has the same figures.
      passedOver.add('ausschreibung_blatt_unbekannt', sheet.name.slice(0, 40), 'nicht gelesen', file.name);
    }
  }
  const [refusal] = refusals;
  if (refusal !== undefined) throw refusal;
  const [first, ...others] = rounds.values();
  if (first === undefined) throw new BuildRefused(nothingFound(file));
  return [withPassedOver(first, passedOver.list()), ...others];
}

/** Several sheets may be about one round: their lists add up, and the first figures count. */
function merge(rounds: Map<number, ReadRound>, { key, liste, statistik }: ReadRound): void {
  const before = rounds.get(tenderId(key));
  rounds.set(tenderId(key), {
    key,
    liste: joinedLists(before?.liste ?? null, liste),
    statistik: before?.statistik ?? statistik,
  });
}

const nothingFound = ({ sheets }: TenderFile): string => {
  const rows = sheets.reduce((sum, sheet) => sum + sheet.rows.length, 0);
  return (
    `it is neither a list of awards (columns Zuschlagsnummer and Standort) nor figures of rounds (a column Gebotstermin, and ` +
    `the technology in a title, a column Verfahren or the name of the file): none of its ${rows} rows has such headings`
  );
};

const withFindings = <Part extends StoredList | StoredFigures>(part: Part, more: readonly TenderFinding[]): Part => ({
  ...part,
  befunde: [...part.befunde, ...more],
});

function withPassedOver(round: ReadRound, findings: readonly TenderFinding[]): ReadRound {
  if (findings.length === 0) return round;
  return round.liste === null
    ? { ...round, statistik: round.statistik === null ? null : withFindings(round.statistik, findings) }
    : { ...round, liste: withFindings(round.liste, findings) };
}

/** A difference to the figures of the product is either a later correction or an error of reading. */
function differencesTo(known: TenderRound | undefined, figures: StoredFigures): TenderFinding[] {
  const findings = new TenderFindings();
  for (const figure of COMPARED) {
    const [before, now] = [known?.[figure] ?? null, figures[figure]];
    if (before === null || now === null || before === now) continue;
    const isRounded = figure.startsWith('volumen') && before % ROUNDED_KW === 0 && Math.abs(before - now) < ROUNDED_KW;
    if (!isRounded)
      findings.add('ausschreibung_wert_abweichend', figure, `${now}, bisher ${before}`, known?.datum ?? '');
  }
  return findings.list();
}
