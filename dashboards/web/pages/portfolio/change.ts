import { chunks } from '../../v1/all-pages.ts';
import type { PortfolioEntry, WrittenRow } from '../../v1/organisation-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';

/** A change of the portfolio: entries that are to be there, values of own fields, and numbers that are to go, in this order. */
export interface Change {
  readonly entries: readonly NewEntry[];
  readonly values?: readonly NewValue[];
  readonly removals: readonly string[];
}

interface NewEntry {
  readonly mastrNummer: string;
  readonly relationType: string;
  /** Absent = identifiers in other systems stay as they are. */
  readonly externalRefs?: Readonly<Record<string, string>>;
}

/** A value of an own field; those of one unit and field replace what is there. */
export interface NewValue {
  readonly mastrNummer: string;
  readonly defId: string;
  readonly text?: string;
  readonly zahl?: number;
  readonly datum?: string;
  readonly datumsgenauigkeit?: string;
}

/** What a row of an answer is about: the interface names values by unit and field. */
export const isValueRow = ({ externalId }: WrittenRow): boolean => externalId?.includes('/') ?? false;

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
const VALUES = '/v1/custom-fields/values';

export function batchesOf({ entries, removals, values = [] }: Change, { dryRun = false } = {}): readonly Batch[] {
  const query = dryRun ? { dryRun: true } : {};
  return [
    ...chunks(entries, ROWS_AT_ONCE).map((some) => batch({ path: PATH, query, body: { entries: some } }, some.length)),
    ...togetherOf(values).map((some) =>
      batch({ path: VALUES, query, body: { values: some }, method: 'PUT' }, some.length),
    ),
    ...chunks(removals, ROWS_AT_ONCE).map((some) =>
      batch({ path: PATH, query, body: { mastrNummern: some }, method: 'DELETE' }, some.length),
    ),
  ];
}

/** Values in batches; those of one unit and field are one change, so they stand in one. */
function togetherOf(values: readonly NewValue[]): readonly (readonly NewValue[])[] {
  const batches: NewValue[][] = [];
  for (const some of Map.groupBy(values, ({ mastrNummer, defId }) => `${mastrNummer}/${defId}`).values()) {
    const last = batches.at(-1);
    if (last !== undefined && last.length + some.length <= ROWS_AT_ONCE) last.push(...some);
    else batches.push([...some]);
  }
  return batches;
}

const batch = (request: ApiRequest, size: number): Batch => ({ request, size, key: randomKey() });

/** `crypto.randomUUID` is there over https only; this is not. */
const randomKey = (): string =>
  `app-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** @param withReferences the change has touched them */
const restoredEntry = (
  { mastrNummer, relationType, externalRefs }: PortfolioEntry,
  withReferences: boolean,
): NewEntry => ({ mastrNummer, relationType, ...(withReferences ? { externalRefs } : {}) });

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
  const named = new Set(
    change.entries.flatMap((entry) => (entry.externalRefs === undefined ? [] : [entry.mastrNummer])),
  );
  for (const { externalId, status } of rows.filter((row) => !isValueRow(row))) {
    if (externalId === null || (status !== 'created' && status !== 'updated')) continue;
    const former = before.get(externalId);
    const restored = former === undefined ? [] : [restoredEntry(former, named.has(externalId))];
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
