import { connections } from './connections.ts';
import { keys } from './keys.ts';
import { portfolio } from './portfolio.ts';
import { savedFilters } from './saved-filters.ts';
import type { Section } from './section.ts';
import { users } from './users.ts';

/** The sections of a document, in the order in which they are written: keys name users. */
export const SECTIONS: readonly Section[] = [users, keys, portfolio, savedFilters, connections];
