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
    throw refused(`The document is no JSON that can be taken in: ${faultOf(error as Error, text)}`);
  }
}

class PrototypeMember extends Error {}

function faultOf(error: Error, text: string): string {
  if (error instanceof PrototypeMember) return 'it has a member "__proto__"';
  if (isUnexpectedToken(error) && text.length > MAX_SEARCHED) return 'something stands where it cannot';
  const place = placeOf(error, text);
  if (place === text.length) return 'it ends early, or is empty';
  const lines = text.slice(0, place).split('\n');
  return `see line ${lines.length} column ${(lines.at(-1) ?? '').length + 1}`;
}

/** Messages about a token have a piece of the text instead of its place. */
const isUnexpectedToken = ({ message }: Error): boolean => message.startsWith('Unexpected token');

/** Characters of a text in which such a token is looked for: people write shorter ones, and the search parses anew. */
const MAX_SEARCHED = 1_000_000;

/** Finds the first character that cannot stand where it does; the length of the text where more should follow. */
function placeOf(error: Error, text: string): number {
  if (isUnexpectedToken(error)) return placeOfToken(text);
  const [, place] = /at position (\d+)/.exec(error.message) ?? [];
  return place === undefined ? text.length : Number(place);
}

/** Halves the text until it has the shortest beginning with a token that cannot stand there. */
function placeOfToken(text: string): number {
  let [sound, faulty] = [0, text.length];
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (endsInToken(text.slice(0, middle))) faulty = middle;
    else sound = middle;
  }
  return sound;
}

function endsInToken(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return false;
  } catch (error) {
    return isUnexpectedToken(error as Error);
  }
}
