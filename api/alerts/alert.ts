import { z } from 'zod';
import type { AlertRow } from '../../sql/org/alerts/alerts.ts';
import { isUuid } from '../../sql/org/organisations.ts';
import { ALERT_TEMPLATE_NAMES } from '../../sql/org/rights.ts';
import { alertCriteriaShape } from '../saved-filters/criteria.ts';
import { email } from '../wire/email.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';
import { bodyList } from '../wire/parameters.ts';
import { type AlertHolder, registerQuestion } from './question.ts';

/** Alerts as they go over the wire. */

/** The id in examples of operations that name an alert. */
export const EXAMPLE_ALERT = '019a0f6e-7c1b-7d52-9f0e-00000000b001';

/** The path parameter of operations about one alert. A text that is no UUID is an unknown id, and answered so. */
export const alertPath = z.strictObject({ id: z.string().describe('Id of the alert, from GET /v1/alerts') });

const MOST_EMAILS = 5;

/** Fields that an alert may watch. */
const MOST_FIELDS = 20;

/** Addresses that an alert may have. */
export const alertEmails = () => bodyList(email(), MOST_EMAILS);

/** The name of an alert. It must not look like a UUID, since commands accept both. */
const alertName = () =>
  line(NAME_LENGTH).refine((name) => !isUuid(name), 'must not look like a UUID: those are given by the service');

/** The members of an alert that its organisation writes. */
export const writtenMembers = {
  name: alertName().describe('Name, which no other alert of the organisation has'),
  template: z
    .enum(ALERT_TEMPLATE_NAMES, `must be one of ${ALERT_TEMPLATE_NAMES.join(', ')}`)
    .describe(
      'NEW_UNIT tells of units that are new, SIGNAL_CHANGE of units that gained or lost one of its signals, FIELD_CHANGE of units of which one of its fields has changed, STATUS_CHANGE of those in another state, COMMISSIONED of those that are in operation now and were not',
    ),
  signals: z
    .array(z.string('must be a text'))
    .describe('Ids of the signals that a SIGNAL_CHANGE watches; otherwise empty'),
  fields: z
    .array(z.string('must be a text'))
    .max(MOST_FIELDS, `must have at most ${MOST_FIELDS} fields`)
    .describe('Names of the fields that a FIELD_CHANGE watches, such as betreiberMastrNummer; otherwise empty'),
  criteria: alertCriteriaShape,
  savedFilterId: z
    .string('must be a text')
    .describe('Instead of criteria: a saved filter, with the criteria that it has when the alert is evaluated'),
  enabled: z.boolean('must be true or false').describe('false: it is kept, and not evaluated'),
  emails: alertEmails()
    .optional()
    .describe('E-mail addresses that are told once a night when it has fired; each can end that by a link'),
};

export const alertShape = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    template: z.enum(ALERT_TEMPLATE_NAMES),
    signals: z.array(z.string()),
    fields: z.array(z.string()),
    criteria: z.record(z.string(), z.unknown()).nullable().describe('null: those of the saved filter'),
    savedFilterId: z.uuid().nullable(),
    enabled: z.boolean(),
    enabledAt: z.iso.datetime().describe('It is evaluated for versions that are published from then on'),
    fault: z.string().nullable().describe('Why it cannot be evaluated, and fires nothing; null: it can'),
    faultySince: z.iso.datetime().nullable().describe('null: no fault, or one that no evaluation has met yet'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    emailCount: z.int().describe('E-mail addresses that are told'),
  })
  .meta({ id: 'Alert' });

/** Answers to writes are kept for idempotency keys, so the list alone names addresses. */
export const listedAlertShape = alertShape
  .extend({
    emails: z
      .array(z.string())
      .nullable()
      .describe('E-mail addresses that are told; null: the service lacks the key to read them'),
  })
  .meta({ id: 'ListedAlert' });

/** Shows an alert with its fault: that of its last evaluation, or the one that the next would find now. */
export const shownAlert = (row: AlertRow, holder: AlertHolder, emailCount: number): z.infer<typeof alertShape> => ({
  ...row,
  fault: row.fault ?? registerQuestion(row, holder).fault,
  emailCount,
});
