import { BuildRefused } from '../run/build-refused.ts';
import { formOf } from '../scan/form.ts';
import { joinedLabels, type ListColumn, listColumnOf } from './labels.ts';
import type { Sheet } from './sheet.ts';
import { type Cell, textOf } from './values.ts';

/** The place of the table in an award list, and the contents of its columns. */
export interface ListHeader {
  /** Texts above the table. */
  readonly titles: readonly string[];
  /** The first row below the headings. */
  readonly firstRow: number;
  readonly columns: ReadonlyMap<ListColumn, number>;
  /** Cells of a row. */
  readonly width: number;
  /** Headings that are not known, for findings. */
  readonly unknown: readonly string[];
  /** The heading of the volume, which names its unit. */
  readonly volumeLabel: string;
}

/** Titles, then the table: the headings stand within the first rows. */
const HEAD_ROWS = 60;

const PLACES: readonly ListColumn[] = ['standort', 'gemeinde', 'gemarkung'];

/** Columns that figures of rounds do not have. */
const OF_LISTS: readonly ListColumn[] = ['bieter', 'mastrNummern', 'flurstueck', ...PLACES];

/** The row with the column of award numbers; null when there is none. */
export const headerRow = ({ rows }: Sheet): number | null => {
  const at = rows
    .slice(0, HEAD_ROWS)
    .findIndex((row) => row.some((cell) => listColumnOf(textOf(cell)) === 'zuschlagsnummer'));
  return at < 0 ? null : at;
};

/**
 * Finds the columns by their headings, which may have two rows.
 * @throws BuildRefused naming what was found where a location is missing
 */
export function readListHeader(sheet: Sheet, at: number): ListHeader {
  const { rows } = sheet;
  const own = rows[at] ?? [];
  const above = rows[at - 1] ?? [];
  const below = rows[at + 1] ?? [];
  const labels = isHeading(below)
    ? joinedLabels(own, below)
    : isHeading(above)
      ? joinedLabels(above, own)
      : own.map((cell) => ({ block: '', label: textOf(cell) }));
  const columns = new Map<ListColumn, number>();
  const unknown: string[] = [];
  for (const [place, { block, label }] of labels.entries()) {
    const column = listColumnOf(label) ?? listColumnOf(block);
    if (column === null) {
      if (label !== '') unknown.push(shownLabel(label));
    } else if (!columns.has(column)) columns.set(column, place);
  }
  if (!PLACES.some((column) => columns.has(column))) {
    throw new BuildRefused(
      `it has no column of the location; its headings are ${labels.map(({ label }) => quoted(label)).join(', ')}`,
    );
  }
  const volume = columns.get('gebotsmenge');
  const { block = '', label = '' } = volume === undefined ? {} : (labels[volume] ?? {});
  return {
    titles: rows.slice(0, at).flatMap((row) => row.map(textOf).filter((text) => text !== '')),
    firstRow: at + (isHeading(below) ? 2 : 1),
    columns,
    width: Math.max(...[own, ...(isHeading(below) ? [below] : [])].map((row) => row.length)),
    unknown,
    volumeLabel: `${block} ${label}`,
  };
}

/** A row of headings: at least one is known, and none is a number. */
export const isHeading = (row: readonly Cell[]): boolean => {
  const texts = row.map(textOf).filter((text) => text !== '');
  return (
    texts.some((text) => text.length < 80 && listColumnOf(text) !== null) && !texts.some((text) => /\d{3}/.test(text))
  );
};

/** The headings of a table without award numbers, to say what was found in their place. */
export function headingsFound({ rows }: Sheet): string | null {
  const row = rows.slice(0, HEAD_ROWS).find((cells) => {
    const columns = cells.map((cell) => listColumnOf(textOf(cell))).filter((column) => column !== null);
    return columns.length >= 2 && columns.some((column) => OF_LISTS.includes(column));
  });
  return row === undefined
    ? null
    : row
        .map(textOf)
        .filter((text) => text !== '')
        .map(quoted)
        .join(', ');
}

const quoted = (label: string): string => `"${shownLabel(label)}"`;

/** Headings are repeated, but nothing that looks like content: digits, or more words than a heading has. */
const shownLabel = (label: string): string => {
  const text = label.replaceAll(/\s+/g, ' ');
  return text.length > 70 || /\d{2}/.test(text) ? formOf(text) : text;
};
