import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument } from '../../../runtime/command-line/parameter.ts';
import {
  allOrganisations,
  type OrganisationRow,
  organisationOf,
  organisationRow,
  organisationToChange,
} from '../../../sql/org/organisations.ts';
import type { Session } from '../../../sql/org/store.ts';
import { suggestion } from '../../wire/nearest.ts';

/** The first argument of most commands. */
export const organisationArgument = argument('its external id or its UUID', z.string().min(1, 'must not be empty'));

/** @throws CommandFailed suggesting the nearest name when there is no such organisation */
export const findOrganisation = async (session: Session, reference: string): Promise<OrganisationRow> =>
  (await session.row(organisationRow, organisationOf(reference))) ?? (await refuseUnknown(session, reference));

/** Locks the organisation against other changes until the transaction ends. @throws CommandFailed like findOrganisation */
export const lockOrganisation = async (
  session: Session,
  reference: string,
  locked = organisationToChange,
): Promise<OrganisationRow> =>
  (await session.row(organisationRow, locked(reference))) ?? (await refuseUnknown(session, reference));

async function refuseUnknown(session: Session, reference: string): Promise<never> {
  const names = (await session.rows(organisationRow, allOrganisations())).map(({ externalId }) => externalId);
  throw refused(
    `There is no organisation ${reference}${suggestion(reference, names)}\n` +
      'Those there are: npm run admin -- organisations list',
  );
}
