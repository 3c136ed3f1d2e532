import { isDeepStrictEqual } from 'node:util';
import { type OrganisationRow, putOrganisation } from '../../../sql/org/organisations.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { lockOrganisation } from '../common/find-organisation.ts';
import { describeMember, type OrganisationMember } from './members.ts';

/** One member of an organisation set to something else: what most of its commands do. */

interface Change<Name extends OrganisationMember = OrganisationMember> {
  /** External id. */
  readonly organisation: string;
  readonly member: Name;
  readonly before: OrganisationRow[Name];
  readonly after: OrganisationRow[Name];
  readonly changed: boolean;
}

/** Changes a member of an organisation; `next` computes its value. @throws CommandFailed when there is no such organisation */
export function change<Name extends OrganisationMember>(
  store: OrgStore,
  reference: string,
  member: Name,
  next: (present: OrganisationRow[Name]) => OrganisationRow[Name],
): Promise<Change<Name>> {
  return store.asOperator(async (session) => {
    const organisation = await lockOrganisation(session, reference);
    const before = organisation[member];
    const after = next(before);
    const changed = !isDeepStrictEqual(before, after);
    if (changed) {
      const updatedAt = new Date().toISOString();
      await session.run(putOrganisation({ ...organisation, [member]: after, updatedAt }));
    }
    return { organisation: organisation.externalId, member, before, after, changed };
  });
}

export function formatChange<Name extends OrganisationMember>({
  organisation,
  member,
  before,
  after,
  changed,
}: Change<Name>): string {
  const [label, now] = describeMember(member, after);
  return `${organisation}, ${label}: ${now} (${changed ? `before: ${describeMember(member, before)[1]}` : 'as before'})`;
}

export const changeLogFields = ({ organisation, member, changed }: Change): object | null =>
  changed ? { organisation, member } : null;
