import type { ComponentChildren } from 'preact';
import { say } from '../format/language.ts';
import { decimal, NOTHING } from '../format/numbers.ts';
import type { Cell, Column, Table } from './table.ts';
import { tableLabel } from './table-view.tsx';

/** A column of a table whose cells are more than texts: links, states, lists. */
export interface RowColumn<Row> extends Column {
  /** The cell of the file. */
  value(row: Row): Cell;
  /** The cell of the page. Default: the value. */
  show?(row: Row): ComponentChildren;
}

/** The same rows for the file. */
export const tableOf = <Row,>(columns: readonly RowColumn<Row>[], rows: readonly Row[]): Table => ({
  columns,
  rows: rows.map((row) => columns.map((column) => column.value(row))),
});

/**
 * @param picked absent = rows cannot be picked
 * @param onPick is called with the ids that are picked then
 */
export interface Picking {
  readonly picked: ReadonlySet<string>;
  onPick(ids: ReadonlySet<string>): void;
  /** False: this row cannot be picked. */
  can(id: string): boolean;
}

export function RowTable<Row>({
  columns,
  rows,
  caption,
  idOf,
  nameOf = idOf,
  picking,
  isFaint = () => false,
}: {
  columns: readonly RowColumn<Row>[];
  rows: readonly Row[];
  caption: string;
  idOf: (row: Row) => string;
  /** The name of a row where it is picked. */
  nameOf?: (row: Row) => string;
  picking?: Picking;
  /** Rows that count less, such as removed ones. */
  isFaint?: (row: Row) => boolean;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={tableLabel(caption)}>
      <table class="rows">
        <thead>
          <tr>
            {picking !== undefined && (
              <th scope="col" class="pick">
                <PickAll rows={rows.map(idOf)} picking={picking} />
              </th>
            )}
            {columns.map(({ name, numeric, unit }) => (
              <th key={name} scope="col" class={numeric ? 'number' : ''}>
                {name}
                {unit !== undefined && <small> {unit}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} class={isFaint(row) ? 'faint' : ''}>
              {picking !== undefined && (
                <td class="pick">
                  <Pick id={idOf(row)} name={nameOf(row)} picking={picking} />
                </td>
              )}
              {columns.map((column) => (
                <td key={column.name} class={column.numeric ? 'number' : ''}>
                  {column.show === undefined ? shownValue(column.value(row), column) : column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A text of the register may be in any script and direction: it stands for itself. */
const shownValue = (value: Cell, { digits = 1 }: Column): ComponentChildren => {
  if (value === null) return NOTHING;
  return typeof value === 'number' ? decimal(value, digits) : <bdi>{value}</bdi>;
};

function Pick({ id, name, picking: { picked, onPick, can } }: { id: string; name: string; picking: Picking }) {
  if (!can(id)) return null;
  const flip = (): void => {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    onPick(next);
  };
  return (
    <input
      type="checkbox"
      aria-label={say(`${name} auswählen`, `Select ${name}`)}
      checked={picked.has(id)}
      onChange={flip}
    />
  );
}

function PickAll({ rows, picking: { picked, onPick, can } }: { rows: readonly string[]; picking: Picking }) {
  const open = rows.filter(can);
  const isAll = open.length > 0 && open.every((id) => picked.has(id));
  return (
    <input
      type="checkbox"
      aria-label={say('Alle auswählen', 'Select all')}
      checked={isAll}
      disabled={open.length === 0}
      onChange={() => onPick(new Set(isAll ? [] : open))}
    />
  );
}
