import { today } from '../format/dates.ts';
import { allPages, type Gathered } from '../v1/all-pages.ts';
import type { ApiRequest, Query } from '../v1/request.ts';
import type { UnitFields, UnitRows } from '../v1/unit-answers.ts';
import type { Loading } from '../v1/use-answer.ts';

/** Days of registration, which almost every unit has. */
const [FROM, TO] = ['registrierungVon', 'registrierungBis'] as const;

/** The register began to take registrations then. */
const FIRST_DAY = '2019-01-31';
const MILLISECONDS_OF_A_DAY = 86_400_000;

interface Days {
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Reads more units of a list than the interface gives of one: as one list as far as that goes, else in parts by days of
 * registration, put into the order of the list again.
 * @param total units that the list has
 * @param most rows that are read at most
 * @param ceiling rows after which the interface ends a list
 * @throws Refused; DOMException AbortError
 */
export async function wholeList(
  loading: Pick<Loading, 'ask' | 'progress'>,
  request: ApiRequest,
  { total, most, ceiling }: { readonly total: number; readonly most: number; readonly ceiling: number },
): Promise<Gathered<UnitFields>> {
  const { query = {} } = request;
  // A saved filter stands in place of all others: it cannot be narrowed.
  if (total <= ceiling || most <= ceiling || query.savedFilterId != null) {
    return allPages<UnitFields>(loading, request, { of: total, most: Math.min(most, ceiling) });
  }
  const rows: UnitFields[] = [];
  const end = Math.min(total, most);
  const read = async (days: Days): Promise<void> => {
    if (rows.length >= most) return;
    const part = { ...request, query: { ...query, [FROM]: days.from, [TO]: days.to } };
    const counted = await loading.ask<UnitRows>({ ...part, query: { ...part.query, limit: 1 } });
    const count = counted.meta.page.total ?? 0;
    const halves = count > ceiling ? halvesOf(days) : null;
    if (halves !== null) {
      for (const half of halves) await read(half);
      return;
    }
    const before = rows.length;
    const gathered = await allPages<UnitFields>(
      {
        ask: (page) => loading.ask(page),
        progress: ({ done }) => loading.progress({ done: Math.min(before + done, end), of: end }),
      },
      part,
      { of: count, most: most - before },
    );
    for (const row of gathered.rows) rows.push(row);
  };
  await read({ from: textOf(query[FROM]), to: textOf(query[TO]) });
  return { rows: inOrder(rows, textOf(query.sort)), total, isComplete: rows.length >= total };
}

const textOf = (value: Query[string]): string | null => (value == null || value === '' ? null : String(value));

/** Two parts of these days; null = it is one day. Open ends lie beyond the days of the register. */
function halvesOf({ from, to }: Days): readonly Days[] | null {
  if (from !== null && from === to) return null;
  const last = numberOf(to ?? today());
  const first = from === null ? Math.min(numberOf(FIRST_DAY), last - 366) : numberOf(from);
  const middle = dayOf(Math.max(first, Math.floor((first + last) / 2)));
  return [
    { from, to: middle },
    { from: dayOf(numberOf(middle) + 1), to },
  ];
}

const numberOf = (day: string): number => Date.parse(day) / MILLISECONDS_OF_A_DAY;
const dayOf = (number: number): string => new Date(number * MILLISECONDS_OF_A_DAY).toISOString().slice(0, 10);

/** The order that a list has by `sort`, and by the numbers of units where they are equal; what is not known comes last. */
function inOrder(rows: readonly UnitFields[], sort: string | null): readonly UnitFields[] {
  const terms = `${sort === null ? '' : `${sort},`}mastrNummer`.split(',').map((term) => term.split(':'));
  return rows.toSorted((one, other) => {
    for (const [field = '', direction] of terms) {
      const [a, b] = [one[field] ?? null, other[field] ?? null];
      if (a === b) continue;
      if (a === null || b === null) return a === null ? 1 : -1;
      return (a < b ? -1 : 1) * (direction === 'desc' ? -1 : 1);
    }
    return 0;
  });
}
