import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { fileOption, rest } from '../../../runtime/command-line/parameter.ts';
import { counted } from '../../../runtime/counted.ts';
import {
  type AssetRow,
  addAssets,
  addedRow,
  assetPage,
  assetRow,
  MAX_ASSETS,
  removeAssets,
  removedRow,
} from '../../../sql/org/records/connection-assets.ts';
import { type ConnectionRecord, isAlive, touchConnection } from '../../../sql/org/records/connections.ts';
import { portfolioOf, portfolioRow } from '../../../sql/org/records/portfolio.ts';
import { singleRow } from '../../../sql/org/single-row.ts';
import type { Session } from '../../../sql/org/store.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { moment, table } from '../common/text-table.ts';
import { connectionArgument, findConnection, lockConnection } from './find-connection.ts';
import { listed, readNumbers } from './numbers.ts';
import { requireLivingSide } from './states.ts';

/** The commands about the scope of a connection; either side has the same. */

const parameters = {
  organisation: organisationArgument,
  connection: connectionArgument,
  numbers: rest('MaStR numbers of units', z.array(z.string()).optional().default([])),
  file: fileOption('a file of MaStR numbers, one on a line; - reads standard input'),
};

const allAssets = (session: Session, { id }: ConnectionRecord): Promise<AssetRow[]> =>
  session.rows(assetRow, assetPage(id, null, MAX_ASSETS));

export const addConnectionAssets = adminCommand({
  name: 'connections assets add',
  summary: 'put units into the scope of a connection',
  description:
    'Either side can, while the invitation is unanswered or accepted. Each unit is kept with the role that the side which ' +
    'invited has to it in its portfolio now; a unit without one is refused. All of them are added or none. A connection has ' +
    `at most ${MAX_ASSETS} units.`,
  examples: [
    'stadtwerk 019a0f6e-7c1b-7d52-9f0e-00000000c001 SEE900000000001 SEE900000000002',
    'stadtwerk 019a0f6e-7c1b-7d52-9f0e-00000000c001 --file units.txt',
  ],
  parameters,
  run(store, { organisation: reference, connection: id, numbers: given, file }) {
    const numbers = readNumbers(given, file);
    return store.asOperator(async (session) => {
      const { organisation, connection } = await lockConnection(session, reference, id);
      requireLivingSide(connection, organisation);
      const present = new Set((await allAssets(session, connection)).map(({ mastrNumber }) => mastrNumber));
      const missing = numbers.filter((number) => !present.has(number));
      if (present.size + missing.length > MAX_ASSETS) {
        throw refused(
          `Nothing was added: a connection has at most ${counted(MAX_ASSETS, 'unit')}. This one has ` +
            `${counted(present.size, 'unit')}, and ${missing.length} more were named`,
        );
      }
      const rows = await withRoles(session, connection, missing);
      const { added } = await singleRow(session, addedRow, addAssets(connection.id, rows));
      if (added > 0) await session.run(touchConnection(connection.id));
      const assets = present.size + added;
      return {
        organisation: organisation.externalId,
        connection: connection.id,
        added,
        unchanged: numbers.length - added,
        assets,
      };
    });
  },
  format: ({ connection, added, unchanged, assets }) =>
    `Added ${counted(added, 'unit')} to ${connection}${unchanged === 0 ? '' : `; ${counted(unchanged, 'was', 'were')} in its scope before`}. ` +
    `It has ${counted(assets, 'unit')}.`,
  logFields: ({ organisation, connection, added }) => (added === 0 ? null : { organisation, connection, added }),
});

/** Makes the rows of new assets. @throws CommandFailed naming units that the initiator has no role to */
async function withRoles(
  session: Session,
  { initiatorId, initiatorName }: ConnectionRecord,
  numbers: readonly string[],
): Promise<AssetRow[]> {
  const entries = await session.rows(portfolioRow, portfolioOf(initiatorId, numbers));
  const roles = new Map(
    entries
      .filter(({ removedAt }) => removedAt === null)
      .map(({ mastrNumber, relationType }) => [mastrNumber, relationType]),
  );
  const now = new Date().toISOString();
  const without: string[] = [];
  const rows = numbers.flatMap((mastrNumber): AssetRow[] => {
    const relationType = roles.get(mastrNumber);
    if (relationType !== undefined) return [{ mastrNumber, relationType, addedAt: now, updatedAt: now }];
    without.push(mastrNumber);
    return [];
  });
  if (without.length === 0) return rows;
  throw refused(
    `Nothing was added: ${initiatorName}, which has invited, has no role in its portfolio to ${listed(without)}\n` +
      'It takes them up with POST /v1/portfolio; then they can be added',
  );
}

export const removeConnectionAssets = adminCommand({
  name: 'connections assets remove',
  summary: 'take units out of the scope of a connection',
  description:
    'Either side can. Fields of these units cross the connection no longer; answers stay with the owners of the fields.',
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-00000000c001 SEE900000000001'],
  parameters,
  run(store, { organisation: reference, connection: id, numbers: given, file }) {
    const numbers = readNumbers(given, file);
    return store.asOperator(async (session) => {
      const { organisation, connection } = await lockConnection(session, reference, id);
      requireLivingSide(connection, organisation);
      const { removed } = await singleRow(session, removedRow, removeAssets(connection.id, numbers));
      if (removed > 0) await session.run(touchConnection(connection.id));
      const assets = connection.assetCount - removed;
      return {
        organisation: organisation.externalId,
        connection: connection.id,
        removed,
        unchanged: numbers.length - removed,
        assets,
      };
    });
  },
  format: ({ connection, removed, unchanged, assets }) =>
    `Removed ${counted(removed, 'unit')} from ${connection}${unchanged === 0 ? '' : `; ${counted(unchanged, 'was', 'were')} not in its scope`}. ` +
    `It has ${counted(assets, 'unit')}.`,
  logFields: ({ organisation, connection, removed }) => (removed === 0 ? null : { organisation, connection, removed }),
});

export const listConnectionAssetsCommand = adminCommand({
  name: 'connections assets list',
  summary: 'the units in the scope of a connection, by number',
  description: 'A connection that has ended has none.',
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-00000000c001'],
  parameters: { organisation: organisationArgument, connection: connectionArgument },
  run: (store, { organisation: reference, connection: id }) =>
    store.asOperator(async (session) => {
      const { connection } = await findConnection(session, reference, id);
      return isAlive(connection.status) ? allAssets(session, connection) : [];
    }),
  format: (assets) =>
    assets.length === 0
      ? 'No units'
      : table(
          ['unit', 'role', 'added'],
          assets.map(({ mastrNumber, relationType, addedAt }) => [mastrNumber, relationType, moment(addedAt)]),
        ),
});
