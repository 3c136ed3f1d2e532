import { entryOf } from '../../runtime/present.ts';
import { type CustomFieldRow, customFieldRow, customFieldsAmong } from '../../sql/org/records/custom-fields.ts';
import { inGermanOrder } from '../../sql/org/records/german-order.ts';
import {
  crossingFieldRow,
  type Direction,
  fieldsOver,
  type SharedFieldRow,
  type SharedValueRow,
  sharedFieldPage,
  sharedFieldRow,
  sharedValueRow,
  sharedValues,
} from '../../sql/org/records/shared-fields.ts';
import type { Session } from '../../sql/org/store.ts';
import { type SharedField, sharedFieldFrom } from './shared-field.ts';

/** An answer has no further page, so it ends with whichever of these it reaches first. */
const MAX_ROWS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Bytes that a row takes in an answer, beside choices and values. */
const ROW_OVERHEAD = 320;

/** Rows that one statement reads: the embedded store works on them in this thread, and other requests wait for it. */
const BATCH = 250;

interface Question {
  readonly organisationId: string;
  readonly connectionId: string;
  /** Null = every unit in scope. */
  readonly mastrNumber: string | null;
  /** Null = both. */
  readonly direction: Direction | null;
}

interface Answer {
  readonly rows: readonly SharedField[];
  /** True when there are more rows than one answer has room for. */
  readonly hasMore: boolean;
}

/** Reads what crosses a connection, by unit, then by name of the field; as many rows as one answer has room for. */
export async function readSharedFields(session: Session, question: Question): Promise<Answer> {
  const { organisationId, ...filter } = question;
  const fields = inGermanOrder(await session.rows(crossingFieldRow, fieldsOver(filter.connectionId)));
  const choiceBytes = new Map(fields.map((field) => [field.id, field.choiceBytes]));
  const fieldIds = fields.map(({ id }) => id);
  const definitions = new Map<string, CustomFieldRow>();
  const rows: SharedField[] = [];
  let free = MAX_BYTES;
  let after: SharedFieldRow | null = null;
  for (;;) {
    const limit = Math.min(BATCH, MAX_ROWS + 1 - rows.length);
    const found: SharedFieldRow[] = await session.rows(
      sharedFieldRow,
      sharedFieldPage({ ...filter, fieldIds, after, limit }),
    );
    const fitting = rowsWithin(free, found, choiceBytes);
    await addDefinitions(session, definitions, fitting);
    const values = await valuesOf(session, fitting, free);
    for (const [index, row] of fitting.entries()) {
      const own = values.get(index) ?? [];
      free -= sizeOf(row, choiceBytes) + own.reduce((sum, { bytes }) => sum + bytes, 0);
      const isFull = rows.length === MAX_ROWS || (free < 0 && rows.length > 0);
      if (isFull) return { rows, hasMore: true };
      const field = definitions.get(row.fieldId);
      // A field that ceased to cross since the row was read has no definition any more.
      if (field !== undefined) rows.push(sharedFieldFrom(row, field, own, organisationId));
    }
    if (fitting.length < limit && fitting.length === found.length) return { rows, hasMore: false };
    after = fitting.at(-1) ?? null;
  }
}

/** The bytes of a row without its values. */
const sizeOf = ({ fieldId }: SharedFieldRow, choiceBytes: ReadonlyMap<string, number>): number =>
  ROW_OVERHEAD + entryOf(choiceBytes, fieldId);

/** The first rows, without their values, up to the one that exceeds these bytes. */
function rowsWithin(
  bytes: number,
  rows: readonly SharedFieldRow[],
  choiceBytes: ReadonlyMap<string, number>,
): readonly SharedFieldRow[] {
  let size = 0;
  const exceeding = rows.findIndex((row) => {
    size += sizeOf(row, choiceBytes);
    return size > bytes;
  });
  return exceeding < 0 ? rows : rows.slice(0, exceeding + 1);
}

/** Reads the definitions that are not known yet. */
async function addDefinitions(
  session: Session,
  known: Map<string, CustomFieldRow>,
  rows: readonly SharedFieldRow[],
): Promise<void> {
  const ids = [...new Set(rows.map(({ fieldId }) => fieldId))].filter((id) => !known.has(id));
  if (ids.length === 0) return;
  for (const field of await session.rows(customFieldRow, customFieldsAmong(ids))) known.set(field.id, field);
}

/** Reads values by index of their row, up to the row with which they exceed the free bytes. */
async function valuesOf(
  session: Session,
  rows: readonly SharedFieldRow[],
  free: number,
): Promise<ReadonlyMap<number, readonly SharedValueRow[]>> {
  if (rows.length === 0) return new Map();
  return Map.groupBy(await session.rows(sharedValueRow, sharedValues(rows, free)), ({ row }) => row);
}
