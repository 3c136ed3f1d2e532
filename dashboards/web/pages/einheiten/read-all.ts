import type { Client } from '../../v1/client.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { UnitFields, UnitRows } from '../../v1/unit-answers.ts';

export interface WholeList {
  readonly rows: readonly UnitFields[];
  /** Units that the list has, also those that were not read. */
  readonly total: number;
}

/**
 * Reads a list page by page, up to a number of rows.
 * @throws Refused; DOMException AbortError
 */
export async function readAll({
  client,
  request,
  most,
  signal,
  onProgress,
  onWait,
}: {
  client: Client;
  request: ApiRequest;
  most: number;
  signal: AbortSignal;
  onProgress: (done: number, of: number) => void;
  onWait: (until: number) => void;
}): Promise<WholeList> {
  const rows: UnitFields[] = [];
  let cursor: string | null = null;
  let total = 0;
  do {
    const page: UnitRows = await client.ask<UnitRows>(
      { ...request, query: { ...request.query, cursor } },
      { signal, onWait },
    );
    rows.push(...page.data);
    ({ cursor, total } = page.meta.page);
    if (!page.meta.page.hasMore) cursor = null;
    onProgress(Math.min(rows.length, most), Math.min(total, most));
  } while (cursor !== null && rows.length < most);
  return { rows: rows.slice(0, most), total };
}
