import { z } from 'zod';
import { DEFAULT_QUOTA } from '../../../sql/org/callers.ts';
import { type OrganisationRow, organisationRow } from '../../../sql/org/organisations.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { suggestion } from '../../wire/nearest.ts';
import { GRANTS, organisationId } from '../common/schemas.ts';
import { documented } from './section.ts';

/** A list of these names, each at most once. */
export const names = (known: readonly string[]) =>
  z
    .array(
      z.string().superRefine((name, context) => {
        if (known.includes(name)) return;
        const message = `is ${JSON.stringify(name)}, which is none of ${known.join(', ')}${suggestion(name, known)}`;
        context.addIssue({ code: 'custom', message });
      }),
    )
    .refine((list) => new Set(list).size === list.length, 'has a name more than once');

/** The organisation itself, without its lists. */
export const organisationShape = documented(organisationRow, {
  externalId: organisationId(),
  name: line(NAME_LENGTH),
  modules: names(GRANTS.modules),
  signals: names(GRANTS.signals),
  alertTemplates: names(GRANTS.alertTemplates),
  limits: organisationRow.shape.limits,
  quota: z.int().min(0).max(1_000_000_000_000),
});

/** Defaults of a new organisation. */
export const organisationDefaults = (now: string): Omit<OrganisationRow, 'id' | 'externalId' | 'name'> => ({
  ...{ modules: [], signals: [], alertTemplates: [], limits: {}, quota: DEFAULT_QUOTA, trialEndsAt: null },
  ...{ createdAt: now, updatedAt: now },
});
