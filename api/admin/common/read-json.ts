import { refused } from '../../../runtime/command-line/exit.ts';

/**
 * Reads a document that may hold names of people. The message of JSON.parse would repeat a piece of it.
 * @throws CommandFailed with the place of the fault, and nothing of what stands there
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (name, value) => {
      // Assigning it would set the prototype of the object and lose the member silently.
      if (name === '__proto__') throw new PrototypeMember();
      return value;
    });
  } catch (error) {
    throw refused(`The document is no JSON that can be taken in: ${faultOf(error as Error)}`);
  }
}

class PrototypeMember extends Error {}

function faultOf(error: Error): string {
  if (error instanceof PrototypeMember) return 'it has a member "__proto__"';
  const place = /line \d+ column \d+/.exec(error.message)?.[0];
  return place === undefined ? 'it ends early, or is empty' : `see ${place}`;
}
