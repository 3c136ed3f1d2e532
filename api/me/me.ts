import { z } from 'zod';
import { MAX_PAGE_SIZE, MAX_ROWS_PER_QUERY } from '../../sql/org/callers.ts';
import { ALERT_TEMPLATES } from '../../sql/org/rights.ts';
import { quotaOf, quotaShape, rateLimitOf, rateLimitShape } from '../access/allowance.ts';
import { operation } from '../operation/operation.ts';

const me = z.strictObject({
  key: z.strictObject({
    prefix: z.string().describe('Display prefix of the key'),
    scopes: z.array(z.string()),
    unbekannteScopes: z.array(z.string()).describe('Scopes of the key that this release does not know'),
  }),
  organization: z.strictObject({
    id: z.uuid(),
    modules: z.array(z.string()).describe('Modules that count as booked now; none once a trial has ended'),
    trialEndsAt: z.iso.datetime().nullable(),
  }),
  entitlements: z.strictObject({
    signals: z.array(z.string()),
    alertTemplates: z.array(z.strictObject({ key: z.string(), name: z.string(), exclusive: z.boolean() })),
  }),
  limits: z.strictObject({
    displayRows: z.int(),
    exportRows: z.int(),
    maxAlerts: z.int(),
    advancedFilters: z.boolean(),
    maxPageSize: z.int(),
    maxRowsPerQuery: z.int(),
    webhooksEnabled: z.boolean(),
  }),
  rateLimit: rateLimitShape,
  quota: z.strictObject({ ...quotaShape, periodStart: z.iso.datetime(), periodEnd: z.iso.datetime() }),
  links: z.strictObject({ openapi: z.url(), usage: z.url() }),
});

/** Key, organisation, entitlements and limits of the caller, which explain why a call is refused. */
export const showMe = operation({
  id: 'me.show',
  method: 'GET',
  path: '/v1/me',
  summary: 'Self-information: key, organisation, entitlements, limits',
  description:
    'What the key may do and what the organisation has booked stand side by side, so that a missing permission can be ' +
    'attributed to one of them. Answers any valid key, also without the module `api`, and does not count to the quota.',
  access: 'key',
  cost: 'standard',
  metered: false,
  source: 'service',
  answer: z.strictObject({ data: me, meta: z.strictObject({}) }),
  async handle({ caller, service }) {
    const { key, organisation } = caller;
    const { displayRows, exportRows, maxAlerts, advancedFilters, webhooksEnabled } = organisation.limits;
    const month = await service.rateLimiter.month(organisation.id);
    const base = service.settings.BASE_URL;
    const data: z.infer<typeof me> = {
      key: { prefix: key.prefix, scopes: [...key.scopes].sort(), unbekannteScopes: [...key.unknownScopes] },
      organization: {
        id: organisation.id,
        modules: [...organisation.modules].sort(),
        trialEndsAt: organisation.trialEndsAt,
      },
      entitlements: {
        signals: [...organisation.signals].sort(),
        alertTemplates: Object.entries(ALERT_TEMPLATES)
          .filter(([name]) => organisation.alertTemplates.includes(name))
          .map(([name, template]) => ({ key: name, ...template })),
      },
      limits: {
        displayRows,
        exportRows,
        maxAlerts,
        advancedFilters,
        maxPageSize: MAX_PAGE_SIZE,
        maxRowsPerQuery: MAX_ROWS_PER_QUERY,
        webhooksEnabled,
      },
      rateLimit: rateLimitOf(caller),
      quota: { ...quotaOf(caller, month), periodStart: month.start, periodEnd: month.end },
      links: { openapi: `${base}/v1/openapi.json`, usage: `${base}/v1/usage` },
    };
    return { body: { data, meta: {} } };
  },
});
