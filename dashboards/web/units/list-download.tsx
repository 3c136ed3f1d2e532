import { say } from '../format/language.ts';
import { count, unitCount } from '../format/numbers.ts';
import { GatheredDownload } from '../frame/gathered-download.tsx';
import type { Table } from '../frame/table.ts';
import type { ApiRequest } from '../v1/request.ts';
import type { UnitFields } from '../v1/unit-answers.ts';
import { useVisit } from '../v1/use-answer.ts';
import { wholeList } from './whole-list.ts';

/**
 * Saves the whole list as a file, with the columns that the table shows. The file ends where the interface or the
 * organisation's limit ends it, and says so.
 */
export function ListDownload({
  title,
  request,
  total,
  tableOf,
  filter,
}: {
  title: string;
  /** What the list asks for, in words. Default: the title of the page. */
  filter?: string;
  request: ApiRequest;
  total: number;
  tableOf: (rows: readonly UnitFields[]) => Table;
}) {
  const { maxPageSize, maxRowsPerQuery, exportRows } = useVisit().me.limits;
  // A saved filter cannot be narrowed, so its list ends where the interface ends it.
  const isOne = total <= maxRowsPerQuery || exportRows <= maxRowsPerQuery || request.query?.savedFilterId != null;
  const most = isOne ? Math.min(maxRowsPerQuery, exportRows) : exportRows;
  const words =
    total <= most
      ? unitCount(total)
      : isOne
        ? say(`die ersten ${count(most)}`, `the first ${count(most)}`)
        : say(`${count(most)} von ${count(total)}`, `${count(most)} of ${count(total)}`);
  return (
    <GatheredDownload
      {...{ title, request, words, filter }}
      of={Math.min(total, most)}
      gather={async (loading) => {
        const gathered = await wholeList(
          loading,
          { ...request, query: { ...request.query, limit: maxPageSize } },
          { total, most: exportRows, ceiling: maxRowsPerQuery },
        );
        const read = gathered.rows.length;
        const whole = gathered.total ?? read;
        return {
          table: tableOf(gathered.rows),
          cut: read < whole ? cutOf(read, whole, isOne) : '',
          said: (
            <>
              {unitCount(read)}
              {say(' gespeichert.', ' saved.')}
              {read < whole &&
                say(
                  ` Die Datei endet dort; die Liste hat ${count(whole)}. Engere Filter, etwa ein Bundesland nach dem anderen, liefern den Rest.`,
                  ` The file ends there; the list has ${count(whole)}. Narrower filters, such as one state after another, give the rest.`,
                )}
            </>
          ),
        };
      }}
    />
  );
}

const cutOf = (read: number, whole: number, isOne: boolean): string =>
  isOne
    ? say(
        ` · Nur die ersten ${count(read)} von ${count(whole)} Einheiten`,
        ` · Only the first ${count(read)} of ${count(whole)} units`,
      )
    : say(
        ` · Nur ${count(read)} von ${count(whole)} Einheiten, nach dem Tag der Registrierung`,
        ` · Only ${count(read)} of ${count(whole)} units, by day of registration`,
      );
