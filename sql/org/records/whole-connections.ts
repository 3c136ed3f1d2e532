import type { Session } from '../store.ts';
import { type AssetRow, assetOfRow, assetsOf, putAssets, recountAssets } from './connection-assets.ts';
import {
  activeFieldsBy,
  type FieldOfConnection,
  fieldOfConnectionRow,
  putActiveFields,
  putReleasedFields,
  releasedFieldsBy,
} from './connection-fields.ts';
import { type ConnectionRecord, connectionRecord, connectionsOfSide, isAlive, putConnections } from './connections.ts';

/** Connections of an organisation with everything on them that is its own or of both. */

/** A connection with its scope, and with what one side has activated and released on it, by name of the field. */
export interface WholeConnection {
  readonly connection: ConnectionRecord;
  readonly assets: readonly AssetRow[];
  readonly activeFields: readonly OwnField[];
  readonly releases: readonly OwnField[];
}

interface OwnField {
  readonly field: string;
  /** Since when. */
  readonly at: string;
}

/** Rows that one statement writes. */
const BATCH_SIZE = 5_000;

/** Reads all of them, oldest first. */
export async function readConnections(session: Session, organisationId: string): Promise<WholeConnection[]> {
  const connections = await session.rows(connectionRecord, connectionsOfSide(organisationId));
  const ids = connections.map(({ id }) => id);
  const assets = Map.groupBy(await session.rows(assetOfRow, assetsOf(ids)), ({ connectionId }) => connectionId);
  const active = byConnection(await session.rows(fieldOfConnectionRow, activeFieldsBy(organisationId)));
  const released = byConnection(await session.rows(fieldOfConnectionRow, releasedFieldsBy(organisationId)));
  return connections.map((connection) => ({
    connection,
    assets: (assets.get(connection.id) ?? []).map(({ connectionId: _, ...asset }) => asset),
    activeFields: active.get(connection.id) ?? [],
    releases: released.get(connection.id) ?? [],
  }));
}

const byConnection = (rows: readonly FieldOfConnection[]): ReadonlyMap<string, OwnField[]> =>
  new Map(
    [...Map.groupBy(rows, ({ connectionId }) => connectionId)].map(([id, group]) => [
      id,
      group.map(({ field, at }) => ({ field, at })),
    ]),
  );

/** Writes connections; what they have in the store stays, and what is new is added. */
export async function writeConnections(
  session: Session,
  organisationId: string,
  items: readonly WholeConnection[],
): Promise<void> {
  const rowsOf = <Part>(partsOf: (item: WholeConnection) => readonly Part[]) =>
    items.flatMap((item) => partsOf(item).map((part) => ({ connectionId: item.connection.id, ...part })));
  // Two organisations have one connection at a time: what ends makes room for what begins.
  const endedFirst = items.toSorted((one, other) => aliveness(one) - aliveness(other));
  for (const batch of batches(endedFirst)) await session.run(putConnections(batch.map(({ connection }) => connection)));
  for (const batch of batches(rowsOf(({ assets }) => assets))) await session.run(putAssets(batch));
  for (const batch of batches(items)) await session.run(recountAssets(batch.map(({ connection }) => connection.id)));
  for (const batch of batches(rowsOf(({ activeFields }) => activeFields))) {
    await session.run(putActiveFields(organisationId, batch));
  }
  for (const batch of batches(rowsOf(({ releases }) => releases))) {
    await session.run(putReleasedFields(organisationId, batch));
  }
}

const aliveness = ({ connection: { status } }: WholeConnection): number => Number(isAlive(status));

function* batches<Row>(rows: readonly Row[]): Iterable<readonly Row[]> {
  for (let from = 0; from < rows.length; from += BATCH_SIZE) yield rows.slice(from, from + BATCH_SIZE);
}
