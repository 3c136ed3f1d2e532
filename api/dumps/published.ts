import type { Settings } from '../../runtime/settings.ts';
import type { Caller } from '../access/caller.ts';
import { Problem } from '../problem/problem.ts';

/** The dumps that the service hands out: all units of a version in one file, outside of the contract of /v1. */

/** Problems in which a call can end before a dump is looked for. */
export const DUMP_PROBLEMS = ['NOT_FOUND', 'DUMPS_NOT_ALLOWED'] as const;

export const SHARED_DESCRIPTION =
  'Not part of the contract of /v1. For organisations whose limit `dumps` is true, or for everybody and without a key where the ' +
  'operator has set DUMPS_ACCESS to public: a dump has every field and every signal, whatever an organisation has booked.';

/** It says whether dumps are for everybody. */
export const isOpenToAll = ({ DUMPS_ACCESS }: Pick<Settings, 'DUMPS_ACCESS'>): boolean => DUMPS_ACCESS === 'public';

/**
 * The folder of the dumps.
 * @throws Problem NOT_FOUND where the service hands out none; DUMPS_NOT_ALLOWED to an organisation without the limit
 */
export function dumpsFolder(settings: Settings, { organisation }: Caller): string {
  const { DUMPS_DIR: root } = settings;
  if (root === null)
    throw new Problem('NOT_FOUND', 'This service hands out no dumps; its operator has not set DUMPS_DIR');
  if (organisation.limits.dumps || isOpenToAll(settings)) return root;
  throw new Problem('DUMPS_NOT_ALLOWED', 'The limit dumps of the organisation is not true, so it may not read dumps');
}
