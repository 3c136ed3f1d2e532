import { alerts } from './alerts.ts';
import { connections } from './connections.ts';
import { contacts } from './contacts.ts';
import { customFieldValues } from './custom-field-values.ts';
import { customFields } from './custom-fields.ts';
import { keys } from './keys.ts';
import { mailboxes } from './mailboxes.ts';
import { portfolio } from './portfolio.ts';
import { savedFilters } from './saved-filters.ts';
import type { Section } from './section.ts';
import { standingReleases } from './standing-releases.ts';
import { threads } from './threads.ts';
import { users } from './users.ts';

/**
 * The sections of a document, in the order in which they are written: keys name users, alerts name saved filters, values
 * and connections name fields, threads name connections.
 */
export const SECTIONS: readonly Section[] = [
  users,
  keys,
  portfolio,
  savedFilters,
  alerts,
  customFields,
  customFieldValues,
  contacts,
  mailboxes,
  connections,
  standingReleases,
  threads,
];
