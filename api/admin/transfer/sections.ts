import { keys, users } from './access.ts';
import { alerts } from './alerts.ts';
import { connections } from './connections.ts';
import { customFields, customFieldValues, standingReleases } from './fields.ts';
import { contacts, mailboxes, portfolio, savedFilters } from './records.ts';
import type { Section } from './section.ts';
import { threads } from './threads.ts';

/**
 * The sections of a document, in the order in which they are written: keys name users, alerts name saved filters, values
 * and connections name fields, threads name connections.
 */
export const SECTIONS: readonly Section[] = [
  ...[users, keys, portfolio, savedFilters, alerts, customFields, customFieldValues],
  ...[contacts, mailboxes, connections, standingReleases, threads],
];
