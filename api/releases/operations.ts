import { z } from 'zod';
import type { CustomFieldRow } from '../../sql/org/records/custom-fields.ts';
import {
  activeFieldRow,
  activeFieldsOf,
  countRow,
  countStandingReleases,
  placeOfRelease,
  type ReleaseRow,
  releaseOn,
  releaseOver,
  releasePage,
  releaseRow,
  withdrawOn,
  withdrawOver,
} from '../../sql/org/records/releases.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import type { Session } from '../../sql/org/store.ts';
import { EXAMPLE_CONNECTION } from '../connections/connection.ts';
import { ownField, requireDirection } from '../connections/direction.ts';
import { lockedSide, managing } from '../connections/locked-connection.ts';
import { EXAMPLE_FIELD } from '../custom-fields/definition.ts';
import { lockFields } from '../custom-fields/rules.ts';
import { operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { listMetaShape, pageOf, pageParameters } from '../wire/paging.ts';
import { mastrNumber } from '../wire/parameters.ts';

/** The owner of a field releases it: for one connection, or on units for whichever connection has them in its scope. */

const MAX_ASSETS = 500;
const MAX_STANDING = 100_000;

const release = z
  .strictObject({
    defId: z.uuid(),
    name: z.string().describe('Name of the field'),
    connectionId: z
      .uuid()
      .nullable()
      .describe('Released for this connection, on every unit in its scope; null: on a unit'),
    gegenseite: z.strictObject({ name: z.string() }).nullable().describe('The other side of that connection'),
    mastrNummer: z.string().nullable().describe('Released on this unit, for every connection that has it in its scope'),
    freigegebenAm: z.iso.datetime(),
  })
  .meta({ id: 'Release' });

const releaseFrom = (row: ReleaseRow): z.infer<typeof release> => ({
  defId: row.fieldId,
  name: row.field,
  connectionId: row.connection,
  gegenseite: row.counterpart === null ? null : { name: row.counterpart },
  mastrNummer: row.asset,
  freigegebenAm: row.releasedAt,
});

const PATH = '/v1/releases';

export const listReleases = operation({
  id: 'releases.list',
  method: 'GET',
  path: PATH,
  summary: 'Where the own fields are released: for connections, then by unit',
  access: 'api',
  scope: 'connections:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  query: z.strictObject(pageParameters),
  answer: z.strictObject({ data: z.array(release), meta: z.strictObject(listMetaShape) }),
  async handle({ query, search, service, caller, records }) {
    const { id } = caller.organisation;
    const page = await pageOf<ReleaseRow>({
      ...{ path: PATH, query, search, service, question: id },
      keyOf: placeOfRelease,
      read: (after, limit) =>
        records((session) => session.rows(releaseRow, releasePage(id, after?.map(String) ?? null, limit))),
    });
    return { headers: page.headers, body: { data: page.rows.map(releaseFrom), meta: page.meta } };
  },
});

const writing = {
  ...managing,
  path: PATH,
  body: z.strictObject({
    defId: z.string('must be a text').describe('Id of a field of the organisation, from GET /v1/custom-fields'),
    connectionId: z.string('must be a text').optional().describe('For this connection, on every unit in its scope'),
    mastrNummern: z
      .array(mastrNumber())
      .min(1, 'must name at least one unit')
      .max(MAX_ASSETS, `must not name more than ${MAX_ASSETS} units`)
      .optional()
      .describe(`On these units, at most ${MAX_ASSETS}, for every connection that has them in its scope`),
  }),
  answer: z.strictObject({
    data: z.strictObject({
      defId: z.uuid(),
      name: z.string(),
      connectionId: z.uuid().nullable(),
      mastrNummern: z.array(z.string()),
    }),
    meta: z.strictObject({
      geaendert: z.int().describe('Releases that were added or withdrawn; the others were so before'),
      aktiv: z.boolean().nullable().describe('Whether the field is active on that connection; null: it is about units'),
    }),
  }),
  problems: ['CONFLICT', 'NOT_FOUND', 'UNPROCESSABLE'] as const,
  example: { body: { defId: EXAMPLE_FIELD, connectionId: EXAMPLE_CONNECTION } },
};

type Sent = z.output<typeof writing.body>;

export const addRelease = operation({
  ...writing,
  id: 'releases.add',
  method: 'POST',
  summary: 'Release an own field: for a connection, or on units for every connection',
  description:
    'Either `connectionId` or `mastrNummern`. A released field crosses an accepted connection on units in its scope once it is active ' +
    'on it (PATCH /v1/connections/{id}/fields/{defId}). A release for a connection hides those on units.',
  async handle({ body, caller, records }) {
    const { id: ownerId } = caller.organisation;
    const at = new Date().toISOString();
    return answered(
      await records((session) =>
        write(session, ownerId, body, async ({ field, connection, units }) => {
          requireDirection(field);
          if (connection !== null) return session.run(releaseOver(connection, { id: field.id, ownerId }, at));
          const { count } = await singleRow(session, countRow, countStandingReleases(ownerId));
          if (count + units.length > MAX_STANDING) {
            const detail = `The organisation has ${count} releases on units, and at most ${MAX_STANDING} are allowed`;
            throw new Problem('UNPROCESSABLE', detail);
          }
          const rows = units.map((mastrNumber) => ({ fieldId: field.id, mastrNumber, releasedAt: at }));
          return session.run(releaseOn(ownerId, rows));
        }),
      ),
    );
  },
});

export const withdrawRelease = operation({
  ...writing,
  id: 'releases.withdraw',
  method: 'DELETE',
  summary: 'Take releases back',
  description:
    'Either `connectionId` or `mastrNummern`. What crossed by them disappears from both sides at once, unless another release holds. Answers stay ' +
    'with the owner of the field.',
  handle: async ({ body, caller, records }) =>
    answered(
      await records((session) =>
        write(session, caller.organisation.id, body, ({ field, connection, units }) =>
          session.run(connection === null ? withdrawOn(field.id, units) : withdrawOver(connection, field.id)),
        ),
      ),
    ),
});

interface Place {
  readonly field: CustomFieldRow;
  /** Null for releases on units. */
  readonly connection: string | null;
  /** Empty for a release for a connection. */
  readonly units: readonly string[];
}

interface Written extends Place {
  readonly changed: number;
  readonly active: boolean | null;
}

/** Finds what is meant, locks it and changes it. @throws Problem unless it is either a connection or units */
async function write(
  session: Session,
  ownerId: string,
  { defId, connectionId, mastrNummern }: Sent,
  change: (place: Place) => Promise<number>,
): Promise<Written> {
  if ((connectionId === undefined) === (mastrNummern === undefined)) {
    const detail =
      'Give either connectionId, for that connection, or mastrNummern, for every connection with these units in scope';
    throw new Problem('UNPROCESSABLE', detail);
  }
  // A field that is retired meanwhile leaves every connection.
  await lockFields(session, ownerId);
  const connection = connectionId === undefined ? null : (await lockedSide(session, ownerId, connectionId)).id;
  const place = { field: await ownField(session, ownerId, defId), connection, units: [...new Set(mastrNummern)] };
  const changed = await change(place);
  const active = connection === null ? null : await session.rows(activeFieldRow, activeFieldsOf(connection));
  return { ...place, changed, active: active?.some(({ fieldId }) => fieldId === place.field.id) ?? null };
}

const answered = ({ field, connection, units, changed, active }: Written) => ({
  body: {
    data: { defId: field.id, name: field.name, connectionId: connection, mastrNummern: [...units] },
    meta: { geaendert: changed, aktiv: active },
  },
});
