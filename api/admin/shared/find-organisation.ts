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

/** The word that most commands begin with. */
export const organisationArgument = argument('its external id or its UUID', z.string().min(1, 'must not be empty'));

/** The organisation that was named. @throws CommandFailed when there is none, with the nearest name */
export const findOrganisation = async (session: Session, reference: string): Promise<OrganisationRow> =>
  (await session.row(organisationRow, organisationOf(reference))) ?? (await nobody(session, reference));

/** The same, locked against other changes until the transaction ends. */
export const lockOrganisation = async (session: Session, reference: string): Promise<OrganisationRow> =>
  (await session.row(organisationRow, organisationToChange(reference))) ?? (await nobody(session, reference));

async function nobody(session: Session, reference: string): Promise<never> {
  const names = (await session.rows(organisationRow, allOrganisations())).map(({ externalId }) => externalId);
  throw refused(
    `There is no organisation ${reference}${suggestion(reference, names)}\n` +
      'Those there are: npm run admin -- organisations list',
  );
}
