import { z } from 'zod';
import { DEFAULT_QUOTA, limitsShape } from '../../../sql/org/limits.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { suggestion } from '../../wire/nearest.ts';
import { GRANTS, organisationId, timestampOption, uuid } from '../common/schemas.ts';

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
export const organisationShape = z.strictObject({
  id: uuid(),
  externalId: organisationId(),
  name: line(NAME_LENGTH),
  modules: names(GRANTS.modules),
  signals: names(GRANTS.signals),
  alertTemplates: names(GRANTS.alertTemplates),
  limits: limitsShape,
  quota: z.int().min(0).max(1_000_000_000_000),
  trialEndsAt: timestampOption().nullable(),
  createdAt: timestampOption(),
  updatedAt: timestampOption(),
});

/** Defaults of a new organisation. */
export const organisationDefaults = (now: string): Omit<OrganisationRow, 'id' | 'externalId' | 'name'> => ({
  modules: [],
  signals: [],
  alertTemplates: [],
  limits: {},
  quota: DEFAULT_QUOTA,
  trialEndsAt: null,
  createdAt: now,
  updatedAt: now,
});
