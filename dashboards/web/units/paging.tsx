import { say } from '../format/language.ts';
import { count } from '../format/numbers.ts';
import type { PageMeta } from '../v1/answers.ts';

/** Rows of a page: they are drawn at once. */
export const ROWS_OF_A_PAGE = 100;

/** The cursor of the page before, by the cursor of a page: the interface only leads forward. null = the first page */
const before = new Map<string, string | null>();

/** Leads from page to page. A page that was opened by a link leads back to the beginning only. */
export function Paging({
  list: { cursor, page: current, change },
  page,
  rows,
}: {
  list: {
    /** The beginning of the page; null = that of the list. */
    readonly cursor: string | null;
    readonly page: number;
    change(place: { readonly cursor: string | null; readonly seite: string | null }): void;
  };
  /** One without a total is of a list that nobody has counted. */
  page: PageMeta;
  /** Rows of a page, at most. */
  rows: number;
}) {
  const number = cursor === null ? 1 : current;
  const first = (number - 1) * rows + 1;
  const previous = cursor === null ? undefined : before.get(cursor);
  const goTo = (target: string | null, at: number): void =>
    change({ cursor: target, seite: at === 1 ? null : String(at) });
  const forward = (): void => {
    if (page.cursor === null) return;
    before.set(page.cursor, cursor);
    goTo(page.cursor, number + 1);
  };
  return (
    <nav class="paging" aria-label={say('Blättern', 'Pages of the list')}>
      <button type="button" disabled={cursor === null} onClick={() => goTo(null, 1)}>
        {say('Anfang', 'First')}
      </button>
      <button
        type="button"
        disabled={previous === undefined}
        onClick={() => previous !== undefined && goTo(previous, number - 1)}
      >
        {say('Vorige', 'Previous')}
      </button>
      <span role="status">
        {count(first)}
        {say(' bis ', ' to ')}
        {count(first + page.count - 1)}
        {page.total !== undefined && `${say(' von ', ' of ')}${count(page.total)}`}
      </span>
      <button type="button" disabled={!page.hasMore} onClick={forward}>
        {say('Nächste', 'Next')}
      </button>
      {page.truncated === true && (
        <p class="note">
          {say(
            'Hier endet die Liste: die Schnittstelle gibt höchstens ',
            'The list ends here: the interface gives out at most ',
          )}
          {count(first + page.count - 1)}
          {say(
            ' Einheiten einer Frage heraus. Die übrigen zeigt ein engerer Filter, etwa ein Bundesland nach dem anderen.',
            ' units of one question. A narrower filter shows the rest, such as one state after another.',
          )}
        </p>
      )}
    </nav>
  );
}
