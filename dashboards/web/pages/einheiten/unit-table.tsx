import { useEffect, useRef } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { tableLabel } from '../../frame/table-view.tsx';
import type { Catalogue } from '../../units/catalogue.ts';
import type { SignalTexts } from '../../units/signals.ts';
import { isNumeric, Value } from '../../units/values.tsx';
import type { CatalogField, UnitFields } from '../../v1/unit-answers.ts';
import type { Sort } from './list-address.ts';

/** A row each unit; its number, and a click anywhere on the row, lead to its page. */
export function UnitTable({
  caption,
  fields,
  rows,
  sort,
  catalogue,
  signals,
  page,
  onSort,
}: {
  caption: string;
  fields: readonly CatalogField[];
  rows: readonly UnitFields[];
  sort: Sort | null;
  catalogue: Catalogue;
  signals: SignalTexts;
  /** Stands for the page of the list: another one begins at its top. */
  page: string;
  onSort: (sort: Sort | null) => void;
}) {
  const { at, go } = useNavigation();
  const scroller = useRef<HTMLElement>(null);
  useEffect(() => {
    scroller.current?.scrollTo(0, 0);
  }, [page]);
  const linkTo = (mastrNumber: string): string => at(`einheiten/${mastrNumber}`);
  const open = (event: MouseEvent, mastrNumber: string): void => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const isLink = (event.target as Element).closest('a') !== null;
    const isSelecting = String(getSelection()) !== '';
    if (isPlain && !isLink && !isSelecting) go(linkTo(mastrNumber));
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={scroller} class="scroll unit-table" tabIndex={0} aria-label={tableLabel(caption)}>
      <table>
        <thead>
          <tr>
            {fields.map((field) => (
              <Head
                key={field.name}
                field={field}
                title={catalogue.titleOf(field)}
                sort={sort?.field === field.name ? sort : null}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.mastrNummer} onClick={(event) => open(event, row.mastrNummer)}>
              {fields.map((field) => (
                <td key={field.name} class={isNumeric(field) ? 'number' : ''}>
                  <Value field={field} value={row[field.name]} signals={signals} linkTo={linkTo} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;
const ARROWS = { asc: '↑', desc: '↓' } as const;

function Head({
  field,
  title,
  sort,
  onSort,
}: {
  field: CatalogField;
  title: string;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
}) {
  const kind = isNumeric(field) ? 'number' : '';
  const text = (
    <span class="title">
      {title}
      {field.einheit !== null && <small> {field.einheit}</small>}
    </span>
  );
  if (!field.sortierbar) {
    return (
      <th scope="col" class={kind} title={field.beschreibung}>
        {text}
      </th>
    );
  }
  // The largest and the latest are what is looked for first.
  const next: Sort | null =
    sort === null
      ? { field: field.name, direction: 'desc' }
      : sort.direction === 'desc'
        ? { field: field.name, direction: 'asc' }
        : null;
  return (
    <th
      scope="col"
      class={kind}
      title={field.beschreibung}
      {...(sort !== null && { 'aria-sort': DIRECTIONS[sort.direction] })}
    >
      <button type="button" class="sort" onClick={() => onSort(next)}>
        {text}
        <span class="arrow" aria-hidden="true">
          {sort === null ? '↕' : ARROWS[sort.direction]}
        </span>
      </button>
    </th>
  );
}
