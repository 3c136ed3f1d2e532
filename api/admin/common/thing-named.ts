import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument } from '../../../runtime/command-line/parameter.ts';
import { suggestion } from '../../wire/nearest.ts';

export const thingArgument = argument('its name or its UUID', z.string().min(1, 'must not be empty'));

/**
 * Finds what somebody means by a name or an id.
 * @param of what it is, who has it, and the command that lists those that there are
 * @throws CommandFailed suggesting the nearest name
 */
export function thingNamed<Thing extends { readonly id: string; readonly name: string }>(
  reference: string,
  things: readonly Thing[],
  of: { readonly what: string; readonly command: string; readonly organisation: string },
): Thing {
  const found =
    things.find(({ name }) => name === reference) ?? things.find(({ id }) => id === reference.toLowerCase());
  if (found !== undefined) return found;
  const names = things.map(({ name }) => name);
  throw refused(
    `${of.organisation} has no ${of.what} ${reference}${suggestion(reference, names)}\n` +
      `Those it has: npm run admin -- ${of.command} ${of.organisation}`,
  );
}
