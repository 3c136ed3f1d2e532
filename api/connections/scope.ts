import { z } from 'zod';
import {
  assetPage,
  assetRow,
  extendConnection,
  MAX_ASSETS,
  mayExtend,
  mayExtendRow,
  removeAssets,
} from '../../sql/org/records/connection-assets.ts';
import { type ConnectionRecord, touchConnection } from '../../sql/org/records/connections.ts';
import { portfolioOf, portfolioRow } from '../../sql/org/records/portfolio.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { mastrNumber } from '../wire/parameters.ts';
import { connectionPath, EXAMPLE_CONNECTION } from './connection.ts';
import { lockedSide, managing } from './locked-connection.ts';

/** Which units a connection is about; all that are named are written or none. */

const body = z.strictObject({
  mastrNummern: z
    .array(mastrNumber())
    .min(1, 'must name at least one unit')
    .max(MAX_ASSETS, `must not name more than ${MAX_ASSETS} units`)
    .describe('MaStR numbers of units'),
});

const data = z.strictObject({ id: z.uuid(), anlagenAnzahl: z.int().describe('Units in scope now') });
const unveraendert = z.int().describe('Numbers that changed nothing');

const exampleOf = (unit: string) => ({ path: { id: EXAMPLE_CONNECTION }, body: { mastrNummern: [unit] } });

export const addConnectionAssets = operation({
  ...managing,
  id: 'connections.add-assets',
  method: 'POST',
  path: '/v1/connections/{id}/assets',
  summary: 'Put units into the scope of a connection',
  description:
    'The side that has invited does so, while the invitation is unanswered or accepted: each unit is kept with the role that it has ' +
    `to it in its portfolio now, and a unit without one is refused. All are added or none, at most ${MAX_ASSETS} to a connection. ` +
    'Once a released field of the other side is active there, wherever it is released, the operator alone adds units, and so he does for ' +
    'the side that was invited.',
  pathParameters: connectionPath,
  body,
  answer: z.strictObject({ data, meta: z.strictObject({ hinzugefuegt: z.int(), unveraendert }) }),
  problems: ['CONFLICT', 'NOT_FOUND', 'UNPROCESSABLE'],
  example: exampleOf('SEE900000000001'),
  async handle({ path, body: { mastrNummern }, caller, records }) {
    const numbers = [...new Set(mastrNummern)];
    const { id, added, total } = await records(async (session) => {
      const connection = await lockedSide(session, caller.organisation.id, path.id);
      const present = new Set(
        (await session.rows(assetRow, assetPage(connection.id, null, MAX_ASSETS))).map(
          ({ mastrNumber }) => mastrNumber,
        ),
      );
      const missing = numbers.filter((number) => !present.has(number));
      if (missing.length === 0) return { id: connection.id, added: 0, total: present.size };
      await mustBeExtendable(session, connection, caller.organisation.id);
      if (present.size + missing.length > MAX_ASSETS) {
        const detail = `A connection has at most ${MAX_ASSETS} units. This one has ${present.size}, and ${missing.length} more were named`;
        throw new Problem('UNPROCESSABLE', detail);
      }
      await mustHaveRoles(session, connection, missing);
      await session.run(extendConnection(connection.id, missing));
      await session.run(touchConnection(connection.id));
      return { id: connection.id, added: missing.length, total: present.size + missing.length };
    });
    const meta = { hinzugefuegt: added, unveraendert: numbers.length - added };
    return { body: { data: { id, anlagenAnzahl: total }, meta } };
  },
});

export const removeConnectionAssets = operation({
  ...managing,
  id: 'connections.remove-assets',
  method: 'DELETE',
  path: '/v1/connections/{id}/assets',
  summary: 'Take units out of the scope of a connection',
  description:
    'Either side can. Fields of these units cross the connection no longer; answers stay with the owners of the fields.',
  pathParameters: connectionPath,
  body,
  answer: z.strictObject({ data, meta: z.strictObject({ entfernt: z.int(), unveraendert }) }),
  problems: ['CONFLICT', 'NOT_FOUND'],
  example: exampleOf('SEE900000000003'),
  async handle({ path, body: { mastrNummern }, caller, records }) {
    const numbers = [...new Set(mastrNummern)];
    const { id, removed, total } = await records(async (session) => {
      const { id, assetCount } = await lockedSide(session, caller.organisation.id, path.id);
      const removed = await session.run(removeAssets(id, numbers));
      if (removed > 0) await session.run(touchConnection(id));
      return { id, removed, total: assetCount - removed };
    });
    const meta = { entfernt: removed, unveraendert: numbers.length - removed };
    return { body: { data: { id, anlagenAnzahl: total }, meta } };
  },
});

/** @throws Problem CONFLICT where the organisation cannot put units into scope */
async function mustBeExtendable(
  session: Session,
  { id, initiatorId }: ConnectionRecord,
  organisationId: string,
): Promise<void> {
  if ((await singleRow(session, mayExtendRow, mayExtend(id))).may) return;
  const detail =
    initiatorId === organisationId
      ? 'The other side has released fields that are active here and could cross for units that it has not seen; it ends their activity first, or the operator adds the units'
      : 'The side that has invited puts units into scope, since its roles to them are kept; or the operator does';
  throw new Problem('CONFLICT', detail);
}

/** Numbers that a message names. */
const MOST_NAMED = 20;

/** @throws Problem UNPROCESSABLE naming units that the initiator has no role to */
async function mustHaveRoles(
  session: Session,
  { initiatorId, initiatorName }: ConnectionRecord,
  numbers: readonly string[],
): Promise<void> {
  const entries = await session.rows(portfolioRow, portfolioOf(initiatorId, numbers));
  const known = new Set(entries.filter(({ removedAt }) => removedAt === null).map(({ mastrNumber }) => mastrNumber));
  const without = numbers.filter((number) => !known.has(number));
  if (without.length === 0) return;
  const more = without.length > MOST_NAMED ? ` and ${without.length - MOST_NAMED} more` : '';
  const detail = `Nothing was added: ${initiatorName}, which has invited, has no role in its portfolio to ${without.slice(0, MOST_NAMED).join(', ')}${more}`;
  throw new Problem('UNPROCESSABLE', detail);
}
