import { procedureNamed } from '../../sql/tenders/series.ts';
import { type TenderKey, tenderId } from '../../sql/tenders/technologies.ts';
import { TenderFindings } from './findings.ts';
import { type Figure, figureOf, joinedLabels } from './labels.ts';
import type { TenderFile } from './read-file.ts';
import type { Sheet } from './sheet.ts';
import type { StoredFigures } from './store.ts';
import { type Cell, dayOf, kilowattsOf, numberOf, roundHalfUp, textOf } from './values.ts';

/**
 * Reads the figures of rounds: statistics workbooks with a row for each round, and overview pages with a column for each.
 */

export interface ReadFigures {
  readonly key: TenderKey;
  readonly statistik: StoredFigures;
}

type Amounts = Omit<StoredFigures, 'quelle' | 'befunde'>;

const NOTHING: Amounts = {
  ...{ zuschlaege: null, volumenAusgeschriebenKw: null, volumenBeworbenKw: null, volumenBezuschlagtKw: null },
  ...{
    gebotNiedrigstesCtKwh: null,
    gebotHoechstesCtKwh: null,
    zuschlagswertDurchschnittCtKwh: null,
    hoechstwertCtKwh: null,
  },
};

/** A figure's place and the label that names its unit. */
interface Column {
  readonly figure: keyof Amounts;
  readonly place: number;
  readonly label: string;
}

/** The figures of a sheet; null when it has no bid dates. */
export function readFigures(file: TenderFile, sheet: Sheet): ReadFigures[] | null {
  const at = sheet.rows.findIndex((row) => dateColumn(row) >= 0);
  if (at < 0) return null;
  const row = sheet.rows[at] ?? [];
  const isTransposed = row.slice(dateColumn(row) + 1).some((cell) => dayOf(cell) !== null);
  return isTransposed ? readOverview(file, sheet) : readRows(file, sheet, at);
}

const dateColumn = (row: readonly Cell[]): number =>
  row.findIndex((cell) => figureOf('', textOf(cell)) === 'gebotstermin');

/** A row for each round, below headings of one or two rows. */
function readRows(file: TenderFile, sheet: Sheet, at: number): ReadFigures[] {
  const { labels, firstRow } = headings(sheet.rows, at);
  const columns = new Map<Figure, number>();
  const amounts: Column[] = [];
  const unknown: string[] = [];
  for (const [place, { block, label }] of labels.entries()) {
    const figure = figureOf(block, label);
    if (figure === null && label !== '') unknown.push(label.replaceAll(/\s+/g, ' ').slice(0, 60));
    // The first of two columns counts: volumes at award, before some were cancelled.
    if (figure === null || figure === 'uebergangen' || columns.has(figure)) continue;
    columns.set(figure, place);
    if (figure !== 'gebotstermin' && figure !== 'verfahren')
      amounts.push({ figure, place, label: `${block} ${label}` });
  }
  const titles = [...sheet.rows.slice(0, at).flat().map(textOf), sheet.name, file.name].join(' ');
  const dates = columns.get('gebotstermin') ?? -1;
  const procedures = columns.get('verfahren') ?? -1;
  return collect(file, unknown, (add, findings) => {
    for (const row of sheet.rows.slice(firstRow)) {
      const datum = dayOf(row[dates]);
      if (datum === null) continue;
      const named = textOf(row[procedures]);
      const procedure =
        procedureNamed(named === '' ? titles : named) ?? (named === '' ? null : procedureNamed(`${named} ${titles}`));
      if (procedure === null)
        findings.add('ausschreibung_wert_unlesbar', 'Verfahren', 'kein bekanntes Verfahren', datum);
      else
        add(
          { ...procedure, datum },
          amounts.map((column) => ({ ...column, cell: row[column.place] })),
        );
    }
  });
}

/** The titles of blocks stand above the row of the bid date, or their columns' own headings below it. */
function headings(rows: Sheet['rows'], at: number): { labels: ReturnType<typeof joinedLabels>; firstRow: number } {
  const own = rows[at] ?? [];
  const above = rows[at - 1] ?? [];
  const below = rows[at + 1] ?? [];
  const date = dateColumn(own);
  const belowIsHeading =
    textOf(below[date]) === '' && below.some((cell) => typeof cell === 'string' && /[a-z]{3}/i.test(cell));
  if (belowIsHeading) return { labels: joinedLabels(own, below), firstRow: at + 2 };
  const aboveIsHeading = above.some((cell, place) => place > date && figureOf('', textOf(cell)) !== null);
  return { labels: joinedLabels(aboveIsHeading ? above : [], own), firstRow: at + 1 };
}

/** Blocks of a year, in each a row for every figure and a column for every bid date. */
function readOverview(file: TenderFile, sheet: Sheet): ReadFigures[] {
  const titles: string[] = [];
  return collect(file, [], (add, findings) => {
    let dates: { place: number; datum: string }[] = [];
    let block: Map<string, (Column & { cell: Cell | undefined })[]> = new Map();
    /** The row of the procedure, in or before the block; without one the titles name it. */
    let named: readonly Cell[] | null = null;
    let namedNext: readonly Cell[] | null = null;
    const finish = () => {
      const titled = procedureNamed([...titles, sheet.name, file.name].join(' '));
      for (const { place, datum } of dates) {
        const cells = block.get(datum);
        if (cells === undefined) continue;
        const text = textOf(named?.[place]);
        const procedure =
          text === '' ? titled : (procedureNamed(text) ?? procedureNamed(`${text} ${titles.join(' ')}`));
        if (procedure === null)
          findings.add('ausschreibung_wert_unlesbar', 'Verfahren', 'kein bekanntes Verfahren', datum);
        else add({ ...procedure, datum }, cells);
      }
      block = new Map();
    };
    for (const row of sheet.rows) {
      const labelAt = row.findIndex((cell) => textOf(cell) !== '');
      const label = textOf(row[labelAt]);
      const figure = figureOf('', label);
      if (figure === 'gebotstermin') {
        finish();
        named = namedNext;
        namedNext = null;
        dates = row.flatMap((cell, place) => {
          const datum = place > labelAt ? dayOf(cell) : null;
          return datum === null ? [] : [{ place, datum }];
        });
      } else if (figure === null) {
        const isFigure = dates.some(({ place }) => textOf(row[place]) !== '');
        if (isFigure) findings.add('ausschreibung_spalte_unbekannt', label.slice(0, 60), 'nicht gelesen', file.name);
        else if (label !== '' && titles.length < 20) titles.push(label);
      } else if (figure === 'verfahren') {
        if (dates.length > 0 && named === null) named = row;
        else namedNext = row;
      } else if (figure !== 'uebergangen') {
        for (const { place, datum } of dates) {
          block.set(datum, [...(block.get(datum) ?? []), { figure, place, label, cell: row[place] }]);
        }
      }
    }
    finish();
  });
}

type Add = (key: TenderKey, cells: readonly (Column & { cell: Cell | undefined })[]) => void;

/** Gathers rounds; the first figures of a round count, as further sheets repeat them. */
function collect(
  file: TenderFile,
  unknown: readonly string[],
  read: (add: Add, findings: TenderFindings) => void,
): ReadFigures[] {
  const rounds = new Map<number, { key: TenderKey; amounts: Amounts; findings: TenderFindings }>();
  const ofFile = new TenderFindings();
  for (const label of unknown) ofFile.add('ausschreibung_spalte_unbekannt', label, 'nicht gelesen', file.name);
  read((key, cells) => {
    if (rounds.has(tenderId(key))) return;
    const findings = new TenderFindings();
    const amounts = {
      ...NOTHING,
      ...Object.fromEntries(cells.map((column) => [column.figure, amountOf(column, key, findings)])),
    };
    if (Object.values(amounts).some((amount) => amount !== null)) rounds.set(tenderId(key), { key, amounts, findings });
  }, ofFile);
  const shared = ofFile.list();
  return [...rounds.values()].map(({ key, amounts, findings }, index) => ({
    key,
    statistik: {
      quelle: `Statistik (${file.name})`,
      ...amounts,
      // Findings about the file are kept with its first round.
      befunde: [...(index === 0 ? shared : []), ...findings.list()],
    },
  }));
}

function amountOf(
  { figure, label, cell }: Column & { cell: Cell | undefined },
  { datum }: TenderKey,
  findings: TenderFindings,
): number | null {
  const text = textOf(cell);
  if (text === '' || /^[-–—]+$|^k\.?\s?a\.?$/i.test(text)) return null;
  const value = numberOf(cell);
  const factor = figure.startsWith('volumen') ? kilowattsOf(label) : 1;
  if (value === null || factor === null || value < 0) {
    findings.add(
      'ausschreibung_wert_unlesbar',
      figure,
      factor === null ? 'ohne Einheit' : 'keine einzelne Zahl',
      datum,
    );
    return null;
  }
  return roundHalfUp(value * factor, figure.endsWith('CtKwh') ? 2 : 0);
}
