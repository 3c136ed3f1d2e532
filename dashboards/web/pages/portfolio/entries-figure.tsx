import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { count } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { type Picking, RowTable, tableOf } from '../../frame/row-table.tsx';
import { useSignalTexts } from '../../units/signals.ts';
import type { Gathered } from '../../v1/all-pages.ts';
import type { ReferenceValues } from '../../v1/answers.ts';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { PortfolioEntry } from '../../v1/organisation-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { COLUMN_NAMES, COLUMNS, type ColumnId, columnsOf, type Known } from './entry-columns.tsx';
import { useOwnValues } from './own-values.ts';
import { OWN_SELECTION } from './summary-figures.tsx';
import type { PortfolioUnit } from './use-portfolio.ts';

/** Rows of a page of the table. */
export const ROWS_PER_PAGE = 100;

const RULES: ApiRequest = { path: '/v1/reference/auffaelligkeit' };

type Units = ReadonlyMap<string, PortfolioUnit>;

/** @param page first is 1 */
export function EntriesFigure({
  loaded,
  units,
  requests,
  page,
  onPage,
  picking,
  withRemoved,
  shownColumns,
  onColumns,
  narrowed,
}: {
  loaded: Loaded<Gathered<PortfolioEntry>>;
  units: Loaded<Units>;
  requests: readonly ApiRequest[];
  page: number;
  onPage: (page: number) => void;
  picking: Picking | null;
  withRemoved: boolean;
  shownColumns: readonly ColumnId[];
  onColumns: (columns: readonly ColumnId[]) => void;
  /** True: there may be entries that are not shown. */
  narrowed: boolean;
}) {
  const { at } = useNavigation();
  // The file has all rows, so all are asked for.
  const numbers = shown(loaded)?.rows.map(({ mastrNummer }) => mastrNummer) ?? null;
  const own = useOwnValues(shownColumns.includes('eigene') ? numbers : null);
  const signals = useSignalTexts(shownColumns.includes('signale'));
  const rules = shown(useAnswer<ReferenceValues>(shownColumns.includes('qualitaet') ? RULES : null));
  const known: Known = {
    units: shown(units),
    signals,
    rules: new Map(rules?.data.map(({ value, name }) => [value, name ?? value])),
    own: own === null ? null : shown(own),
  };
  const columns = columnsOf(shownColumns, known, withRemoved, (number) => at(`einheiten/${number}`));
  const title = say('Einheiten im Portfolio', 'Units in the portfolio');
  return (
    <Figure
      title={title}
      unit={say('Je Zeile ein Eintrag, der neueste zuerst', 'One entry a row, the newest first')}
      loaded={loaded}
      requests={requests}
      shows={say('die Anlagen der Organisation', 'the units of the organisation')}
      attribution={OWN_SELECTION}
      more={{ href: at('einheiten', { portfolio: 'true' }), name: say('Einheiten', 'Units') }}
      table={({ rows }) => tableOf(columns, rows)}
      empty={({ rows }) =>
        rows.length > 0
          ? null
          : narrowed
            ? say('Von keinem Eintrag gilt das.', 'This is true of no entry.')
            : say('Hier ist noch kein Eintrag.', 'There is no entry here yet.')
      }
      plain
    >
      {({ rows }) => (
        <>
          <ColumnChoice columns={shownColumns} onChange={onColumns} />
          <RowTable
            columns={columns}
            rows={pageOf(rows, page)}
            caption={title}
            idOf={({ mastrNummer }) => mastrNummer}
            isFaint={({ entferntAm }) => entferntAm !== null}
            {...(picking === null ? {} : { picking })}
          />
          <Pager rows={rows.length} page={page} onPage={onPage} />
        </>
      )}
    </Figure>
  );
}

const pageOf = (rows: readonly PortfolioEntry[], page: number): readonly PortfolioEntry[] =>
  rows.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE);

/** Chooses the columns; without any other, that of the number would say nothing, so all come back. */
function ColumnChoice({
  columns,
  onChange,
}: {
  columns: readonly ColumnId[];
  onChange: (columns: readonly ColumnId[]) => void;
}) {
  return (
    <details class="as-table">
      <summary>
        {say('Spalten (', 'Columns (')}
        {count(columns.length + 1)})
      </summary>
      <fieldset class="checks">
        <legend>{say('Zeigen', 'Show')}</legend>
        <div>
          {COLUMNS.map((id) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={columns.includes(id)}
                onChange={() => onChange(COLUMNS.filter((one) => columns.includes(one) !== (one === id)))}
              />
              {COLUMN_NAMES[id]}
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  );
}

function Pager({ rows, page, onPage }: { rows: number; page: number; onPage: (page: number) => void }) {
  const pages = Math.ceil(rows / ROWS_PER_PAGE);
  if (pages < 2) return null;
  const first = (page - 1) * ROWS_PER_PAGE + 1;
  return (
    <nav class="actions pager" aria-label={say('Seiten der Tabelle', 'Pages of the table')}>
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {say('Zurück', 'Back')}
      </button>
      <span>
        {count(first)}
        {say(' bis ', ' to ')}
        {count(Math.min(rows, page * ROWS_PER_PAGE))}
        {say(' von ', ' of ')}
        {count(rows)}
      </span>
      <button type="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {say('Weiter', 'Next')}
      </button>
    </nav>
  );
}
