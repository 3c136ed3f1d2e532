import { chunks } from '../../v1/all-pages.ts';
import type { PortfolioEntry, WrittenRow } from '../../v1/organisation-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';

/** A change of the portfolio: entries that are to be there, and numbers that are to go, in this order. */
export interface Change {
  readonly entries: readonly NewEntry[];
  readonly removals: readonly string[];
}

/** Identifiers in other systems are left as they are. */
interface NewEntry {
  readonly mastrNummer: string;
  readonly relationType: string;
}

/** A part of a change that is sent at once. The key makes a repetition of it the same write. */
export interface Batch {
  readonly request: ApiRequest;
  readonly key: string;
  /** Rows in it. */
  readonly size: number;
}

/** The interface takes so many rows at once. */
const ROWS_AT_ONCE = 500;

const PATH = '/v1/portfolio';

export function batchesOf({ entries, removals }: Change, { dryRun = false } = {}): readonly Batch[] {
  const query = dryRun ? { dryRun: true } : {};
  return [
    ...chunks(entries, ROWS_AT_ONCE).map((some) => batch({ path: PATH, query, body: { entries: some } }, some.length)),
    ...chunks(removals, ROWS_AT_ONCE).map((some) =>
      batch({ path: PATH, query, body: { mastrNummern: some }, method: 'DELETE' }, some.length),
    ),
  ];
}

const batch = (request: ApiRequest, size: number): Batch => ({ request, size, key: randomKey() });

/** `crypto.randomUUID` is there over https only; this is not. */
const randomKey = (): string =>
  `app-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** A change that takes another one back, as far as that is possible. */
export interface Inverse extends Change {
  /** Entries whose former state is not known: they stay as they are now. */
  readonly lost: number;
}

/** The portfolio before a change, as far as it is known. */
export interface Before {
  readonly entries: ReadonlyMap<string, PortfolioEntry>;
  /** True: what is not among them was removed, or was never there. */
  readonly isComplete: boolean;
}

/** @param rows what became of the change */
export function inverseOf(
  change: Change,
  rows: readonly WrittenRow[],
  { entries: before, isComplete }: Before,
): Inverse {
  const entries: NewEntry[] = [];
  const removals: string[] = [];
  let lost = 0;
  const removed = new Set(change.removals);
  for (const { externalId, status } of rows) {
    if (externalId === null || (status !== 'created' && status !== 'updated')) continue;
    const former = before.get(externalId);
    const restored = former === undefined ? [] : [{ mastrNummer: externalId, relationType: former.relationType }];
    if (status === 'created') removals.push(externalId);
    else if (removed.has(externalId)) {
      entries.push(...restored);
      if (former === undefined) lost += 1;
    } else if (former !== undefined || isComplete) {
      entries.push(...restored);
      if (former?.entferntAm !== null) removals.push(externalId);
    } else lost += 1;
  }
  return { entries, removals, lost };
}
