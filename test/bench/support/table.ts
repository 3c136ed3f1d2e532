/** Tables of results, for people to read and as Markdown to keep. */

export interface Column<Row> {
  readonly head: string;
  /** Texts stand left, numbers right. */
  readonly align: 'left' | 'right';
  /** Undefined where there is no result. */
  readonly cell: (row: Row) => string | undefined;
}

export type Form = 'text' | 'markdown';

const NO_RESULT = '-';

/** @param notes sentences about a row; they stand below it, in Markdown below the table */
export function tableLines<Row>(
  form: Form,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  notes: (row: Row) => readonly string[] = () => [],
): string[] {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row) ?? NO_RESULT));
  return form === 'text' ? text(columns, cells, rows.map(notes)) : markdown(columns, cells, rows.flatMap(notes));
}

type Head = Pick<Column<never>, 'head' | 'align'>;

const GAP = '  ';

function text(columns: readonly Head[], rows: readonly (readonly string[])[], notes: (readonly string[])[]): string[] {
  const widths = columns.map(({ head }, place) => Math.max(head.length, ...rows.map((row) => row[place]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, place) =>
        columns[place]!.align === 'left' ? cell.padEnd(widths[place]!) : cell.padStart(widths[place]!),
      )
      .join(GAP)
      .trimEnd();
  return [
    line(columns.map(({ head }) => head)),
    ...rows.flatMap((row, place) => [line(row), ...notes[place]!.map((note) => `  ! ${note}`)]),
  ];
}

function markdown(columns: readonly Head[], rows: readonly (readonly string[])[], notes: readonly string[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(columns.map(({ head }) => head)),
    line(columns.map(({ align }) => (align === 'left' ? ':---' : '---:'))),
    ...rows.map(line),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${note}`)]),
  ];
}
