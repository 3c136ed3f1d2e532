import { z } from 'zod';
import type { Condition } from '../../sql/query/conditions.ts';
import type { Delta } from '../../sql/query/delta.ts';
import type { Service } from '../operation/service.ts';
import type { Code } from '../problem/codes.ts';
import { violated } from '../problem/problem.ts';
import { servedSince } from '../warehouse/lineage.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import type { Notation } from '../wire/notation.ts';
import { timestamp } from '../wire/parameters.ts';
import { filtersDigest, isValidOn } from '../wire/sync-token.ts';

/** Reads only what has changed (docs/decisions/0006-delta.md): each read gives the anchor that the next one begins at. */

/** Publications were not recorded before this moment. */
const FIRST_ANCHOR = '2026-08-11T00:00:00.000Z';

export const deltaShape = (notation: Notation) => ({
  updatedSince: timestamp()
    .optional()
    .describe(`Only units whose present content was first published since then; not before ${FIRST_ANCHOR}`),
  syncToken: notation
    .text()
    .optional()
    .describe(
      'Only what has changed since the read that gave this token as `meta.sync.token`; wins over `updatedSince`',
    ),
});

export const syncShape = z
  .strictObject({
    token: z
      .string()
      .nullable()
      .describe('Anchor for `syncToken`; null where the read does not amount to a whole state'),
    watermark: z.string().nullable().describe('When the version of the first page began to be served'),
  })
  .meta({ id: 'SyncMeta' });

interface DeltaCall {
  readonly query: { readonly updatedSince?: string | undefined; readonly syncToken?: string | undefined };
  readonly notation: Notation;
  readonly conditions: readonly Condition[];
  readonly dataset: Dataset;
  readonly service: Pick<Service, 'syncTokens'>;
  readonly today: string;
}

/**
 * Returns where the delta begins; null when the query asks for none.
 * @throws Problem SYNC_TOKEN_INVALID, DELTA_ANCHOR_TOO_OLD
 */
export function deltaOf(call: DeltaCall): Delta | null {
  const { updatedSince, syncToken } = call.query;
  if (syncToken !== undefined) return sinceToken(syncToken, call);
  if (updatedSince !== undefined) return sinceMoment(updatedSince, call);
  return null;
}

function sinceToken(token: string, { notation, conditions, dataset, service, today }: DeltaCall): Delta {
  const refuse = refusal('SYNC_TOKEN_INVALID', 'syncToken', notation);
  const state = service.syncTokens.verify(token);
  if (state === null) throw refuse('was not issued by this service');
  if (!isValidOn(today, state)) throw refuse(`is of ${state.day}: tokens are good for 30 days`);
  if (state.filters !== filtersDigest(conditions)) throw refuse('belongs to other filters');
  const { anchors, completeFrom } = dataset.lineage;
  const since = Math.min(...state.versions.map((version) => anchors.get(version) ?? -1));
  if (since < 0) throw refuse('is of a dataset version that was withdrawn');
  return { since, complete: since >= completeFrom };
}

function sinceMoment(moment: string, { notation, dataset }: DeltaCall): Delta {
  const refuse = refusal('DELTA_ANCHOR_TOO_OLD', 'updatedSince', notation);
  if (Date.parse(moment) < Date.parse(FIRST_ANCHOR)) throw refuse(`lies before ${FIRST_ANCHOR}`);
  const { anchors, completeFrom } = dataset.lineage;
  // A reader that began then may have continued in any later version, even in one that was withdrawn since.
  const builds = servedSince(dataset.publications, Date.parse(moment)).map((version) =>
    version === null ? 0 : (anchors.get(version) ?? -1),
  );
  const since = Math.min(...builds);
  if (since < 0) throw refuse('lies before the end of a dataset version that was withdrawn since');
  return { since, complete: since >= completeFrom };
}

const refusal = (code: Code, name: string, notation: Notation) => (why: string) =>
  violated([{ ...notation.location(name), code, detail: `${name} ${why}; begin again with a full read` }]);

interface CompletedRead extends Omit<DeltaCall, 'query' | 'notation'> {
  /** Versions that the pages of the list were read from, including that of the last page. */
  readonly versions: readonly string[];
  /** Time of publication of the version of the first page. */
  readonly watermark: string;
  /** The list ended at its ceiling although there were more rows. */
  readonly truncated: boolean;
}

/** `meta.sync` of the last page of a list. */
export function syncMeta({
  versions,
  watermark,
  truncated,
  conditions,
  dataset,
  service,
  today,
}: CompletedRead): z.infer<typeof syncShape> {
  const state = { versions, filters: filtersDigest(conditions), day: today };
  // A delta from here would miss the rows that were cut off, and could not take back those of a withdrawn version.
  const whole = !truncated && versions.every((version) => dataset.lineage.anchors.has(version));
  return { token: whole ? service.syncTokens.sign(state) : null, watermark };
}
