import { say } from '../format/language.ts';
import { decimal, NOTHING } from '../format/numbers.ts';
import type { Cell, Column, Table } from './table.ts';

/** Rows of a table that are drawn at once; the file has all of them. */
const MOST_ROWS = 500;

/** The name of a table for those who hear it. */
export const tableLabel = (caption: string): string => say(`Tabelle: ${caption}`, `Table: ${caption}`);

export function TableView({ table: { columns, rows }, caption }: { table: Table; caption: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={tableLabel(caption)}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={column.numeric ? 'number' : ''}>
                {column.name}
                {column.unit !== undefined && <small> {column.unit}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={columns[at]?.name} class={columns[at]?.numeric ? 'number' : ''}>
                  {shownCell(cell, columns[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p class="note">
          {say('Die ersten ', 'The first ')}
          {MOST_ROWS}
          {say(' von ', ' of ')}
          {rows.length}
          {say(' Zeilen; die Dateien haben alle.', ' rows; the files have all.')}
        </p>
      )}
    </section>
  );
}

const shownCell = (cell: Cell, column: Column | undefined): string => {
  if (cell === null) return NOTHING;
  return typeof cell === 'number' ? decimal(cell, column?.digits ?? 1) : cell;
};
