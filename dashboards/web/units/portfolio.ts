import { PAGE_SIZE } from '../v1/all-pages.ts';
import type { ApiRequest } from '../v1/request.ts';

/** Entries of the portfolio that are read without being asked for more. */
export const ENTRIES_AT_ONCE = 2000;

/** @param role '' = every role */
export const portfolioRequest = (role: string, withRemoved: boolean): ApiRequest => ({
  path: '/v1/portfolio',
  query: {
    ...(role === '' ? {} : { relationType: [role] }),
    ...(withRemoved ? { includeDeleted: true } : {}),
    limit: PAGE_SIZE,
  },
});
