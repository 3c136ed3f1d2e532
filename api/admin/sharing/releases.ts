import { z } from 'zod';
import { usageError } from '../../../runtime/command-line/exit.ts';
import { option } from '../../../runtime/command-line/parameter.ts';
import { counted } from '../../../runtime/counted.ts';
import { isUuid, type OrganisationRow } from '../../../sql/org/organisations.ts';
import type { CustomFieldRow } from '../../../sql/org/records/custom-fields.ts';
import {
  activeFieldRow,
  activeFieldsOf,
  releaseOn,
  releaseOver,
  releaseRow,
  releasesOf,
  withdrawOn,
  withdrawOver,
} from '../../../sql/org/records/releases.ts';
import type { Session } from '../../../sql/org/store.ts';
import { lockFields } from '../../custom-fields/rules.ts';
import { listParameter } from '../../wire/parameters.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { moment, table } from '../common/text-table.ts';
import { lockConnection } from '../connections/find-connection.ts';
import { requireLivingSide } from '../connections/states.ts';
import { fieldArgument, findField } from '../custom-fields/find-field.ts';
import { requireDirection } from './direction.ts';

/**
 * The commands about releases: of a field for one connection, or on units for whichever connection has them in its
 * scope.
 */

const MAX_ASSETS = 500;

const parameters = {
  organisation: organisationArgument,
  field: fieldArgument,
  connection: option(
    '<id>',
    'for this connection, on every unit in its scope',
    z.string().refine(isUuid, 'must be the id of a connection, a UUID').optional(),
  ),
  asset: option(
    '<SEE…,SEE…>',
    `on these units, at most ${MAX_ASSETS}, for every connection that has them in its scope`,
    listParameter({ numbers: true, most: MAX_ASSETS }).optional(),
  ),
};

interface Input {
  readonly organisation: string;
  readonly field: string;
  readonly connection?: string | undefined;
  readonly asset?: readonly string[] | undefined;
}

interface Place {
  readonly organisation: OrganisationRow;
  readonly field: CustomFieldRow;
  /** Null for standing releases. */
  readonly connection: string | null;
  /** Empty for a release for a connection. */
  readonly assets: readonly string[];
}

/** Finds what a command names, and locks it. @throws CommandFailed unless it names a connection or units */
async function lockPlace(
  session: Session,
  { organisation: reference, field: named, connection: id, asset }: Input,
): Promise<Place> {
  if ((id === undefined) === (asset === undefined)) {
    throw usageError(
      'Give either --connection, for that connection, or --asset, for every connection with that unit in scope',
    );
  }
  if (id !== undefined) {
    const { organisation, connection } = await lockConnection(session, reference, id);
    requireLivingSide(connection, organisation);
    return {
      organisation,
      field: await findField(session, organisation, named),
      connection: connection.id,
      assets: [],
    };
  }
  const organisation = await lockOrganisation(session, reference);
  await lockFields(session, organisation.id);
  return { organisation, field: await findField(session, organisation, named), connection: null, assets: asset ?? [] };
}

/** The effect of a command. */
const resultOf = ({ organisation, field, connection, assets }: Place, changed: number) => ({
  organisation: organisation.externalId,
  field: field.id,
  name: field.name,
  connection,
  assets: [...assets],
  /** Releases that were added or withdrawn. */
  changed,
});

type Result = ReturnType<typeof resultOf>;

const placeIn = ({ connection, assets }: Result): string =>
  connection === null ? counted(assets.length, 'unit') : `the connection ${connection}`;

const logFields = ({ organisation, field, connection, changed }: Result): object | null =>
  changed === 0 ? null : { organisation, field, connection, changed };

export const addRelease = adminCommand({
  name: 'releases add',
  summary: 'release a field: for one connection, or on units for every connection',
  description:
    'A released field crosses an accepted connection on units in its scope once it is active on it ' +
    '(`connections fields activate`). Only its owner releases it. A release for a connection hides those on units.',
  examples: [
    'stadtwerk Pachtvertrag --connection 019a0f6e-7c1b-7d52-9f0e-00000000c001',
    'stadtwerk Pachtvertrag --asset SEE900000000001,SEE900000000002',
  ],
  parameters,
  run: (store, input) =>
    store.asOperator(async (session) => {
      const place = await lockPlace(session, input);
      const { organisation, field, connection, assets } = place;
      requireDirection(field, organisation);
      const now = new Date().toISOString();
      const statement =
        connection === null
          ? releaseOn(
              organisation.id,
              assets.map((mastrNumber) => ({ fieldId: field.id, mastrNumber, releasedAt: now })),
            )
          : releaseOver(connection, { id: field.id, ownerId: organisation.id }, now);
      const changed = await session.run(statement);
      const active =
        connection === null ||
        (await session.rows(activeFieldRow, activeFieldsOf(connection))).some(({ fieldId }) => fieldId === field.id);
      return { ...resultOf(place, changed), active };
    }),
  note: ({ organisation, field, connection, active }) =>
    active
      ? ''
      : 'It is not active there yet, so it does not cross. To activate it: ' +
        `npm run admin -- connections fields activate ${organisation} ${connection} ${field}`,
  format: (result) =>
    `The field ${result.name} is released for ${placeIn(result)}${result.changed === 0 ? ' as before' : ''}.`,
  logFields,
});

export const withdrawRelease = adminCommand({
  name: 'releases withdraw',
  summary: 'take a release back',
  description:
    'What crossed by it disappears from both sides at once, unless another release holds. Answers stay with the owner.',
  examples: [
    'stadtwerk Pachtvertrag --connection 019a0f6e-7c1b-7d52-9f0e-00000000c001',
    'stadtwerk Pachtvertrag --asset SEE900000000001',
  ],
  parameters,
  run: (store, input) =>
    store.asOperator(async (session) => {
      const place = await lockPlace(session, input);
      const { field, connection, assets } = place;
      const statement = connection === null ? withdrawOn(field.id, assets) : withdrawOver(connection, field.id);
      return resultOf(place, await session.run(statement));
    }),
  format: (result) =>
    result.changed === 0
      ? `The field ${result.name} was not released for ${placeIn(result)}.`
      : `The field ${result.name} is no longer released for ${placeIn(result)}.`,
  logFields,
});

export const listReleases = adminCommand({
  name: 'releases list',
  summary: 'where fields of an organisation are released',
  examples: ['stadtwerk'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => {
      const { id } = await findOrganisation(session, reference);
      return session.rows(releaseRow, releasesOf(id));
    }),
  format: (releases) =>
    releases.length === 0
      ? 'No releases'
      : table(
          ['field', 'unit', 'connection', 'counterpart', 'released'],
          releases.map(({ field, asset, connection, counterpart, releasedAt }) => [
            field,
            asset ?? 'all in scope',
            connection ?? 'all',
            counterpart,
            moment(releasedAt),
          ]),
        ),
});
