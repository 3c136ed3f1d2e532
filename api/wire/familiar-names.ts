import { suggestion } from './nearest.ts';

/** Names that other interfaces give to what an operation of this one may have: callers type them out of habit. */

interface Habit {
  /** The name that such a habit has here. */
  readonly name: string;
  /** Says what is different here from what the caller is used to. */
  readonly advice: string;
  /** In lower case, without `_`, `-`, `$` and brackets. */
  readonly typed: readonly string[];
}

const HABITS: readonly Habit[] = [
  {
    name: 'cursor',
    advice:
      'pages are not numbered: ask for the next one with cursor, which the answer has in meta and in its Link header',
    typed: [
      ...['page', 'pagenumber', 'pageno', 'pageindex', 'pagetoken', 'nextpage', 'nextpagetoken', 'continuationtoken'],
      ...['offset', 'skip', 'start', 'startindex', 'startat', 'after', 'before', 'startingafter', 'endingbefore'],
    ],
  },
  {
    name: 'limit',
    advice: 'the rows of a page are limited with limit',
    typed: [
      ...['perpage', 'pagesize', 'pagelimit', 'itemsperpage', 'rowsperpage', 'size', 'count', 'rows', 'top', 'take'],
      ...['first', 'max', 'maxresults', 'maxrows', 'maxitems', 'resultsperpage', 'anzahl'],
    ],
  },
  {
    name: 'sort',
    advice: 'sort by sort=field:asc or sort=field:desc',
    typed: [
      'order',
      'orderby',
      'sortby',
      'sortorder',
      'sortdir',
      'sortdirection',
      'ordering',
      'direction',
      'dir',
      'desc',
    ],
  },
  {
    name: 'fields',
    advice: 'choose fields with fields',
    typed: ['select', 'columns', 'attributes', 'properties', 'only'],
  },
  {
    name: 'suche',
    advice: 'texts are searched with suche',
    typed: ['q', 'query', 'search', 'searchterm', 'text', 'fulltext', 'keyword', 'keywords', 'term'],
  },
];

const BY_TYPED = new Map(HABITS.flatMap((habit) => habit.typed.map((typed) => [typed, habit] as const)));

/**
 * Says what was probably meant by a name that an operation does not know: `; did you mean limit?`, or how this interface
 * does what the name does elsewhere; nothing where neither is known.
 * @param known the names of the operation
 */
export function advice(name: string, known: readonly string[]): string {
  const habit = BY_TYPED.get(name.toLowerCase().replaceAll(/[_$[\]-]/g, ''));
  return habit !== undefined && known.includes(habit.name) ? `; ${habit.advice}` : suggestion(name, known);
}
