import { Problem, violated } from '../problem/problem.ts';
import { pointer } from './violations.ts';

/** No body of ours is nested any deeper, and the recursion that checks it could not go much deeper. */
const MAX_DEPTH = 32;

/** Members and items of a body: more than any operation can use, less than keeps other callers waiting. */
const MAX_VALUES = 30_000;

/** Members of one object: ten times as many as any operation knows. It takes long to report each of them as unknown. */
const MAX_MEMBERS = 2_000;

/**
 * Reads a JSON text, in a time that other callers can wait for whatever is in it.
 * @throws Problem INVALID_BODY for what is no JSON; for a member that is given twice, of which one would be lost in
 * silence; for one named `__proto__`, which objects cannot have everywhere; and for too many levels
 * @throws Problem TOO_MANY_VALUES for more values, or members of an object, than any request needs
 */
export function readJson(text: string): unknown {
  // Checked before it is parsed: parsing costs far more.
  mustBeUnambiguous(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem('INVALID_BODY', `The body is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** An object or an array that is not closed yet. */
interface Level {
  /** Names of an object met so far; null before the first, and in an array. */
  names: Set<string> | null;
  /** The member or the index at which the text is; null in an object that awaits a name. */
  at: string | number | null;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Finds what JSON.parse accepts and we refuse. A text that is no JSON may pass: JSON.parse refuses it afterwards. */
function mustBeUnambiguous(text: string): void {
  const levels: Level[] = [];
  let level: Level | undefined;
  let values = 1;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (levels.length > MAX_DEPTH) {
          throw new Problem('INVALID_BODY', `The body is nested deeper than ${MAX_DEPTH} levels`);
        }
        level = { names: null, at: text.charCodeAt(index) === OPEN_ARRAY ? 0 : null };
        levels.push(level);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        levels.pop();
        level = levels.at(-1);
        break;
      case COMMA:
        if (++values > MAX_VALUES) throw tooManyValues();
        if (level !== undefined) level.at = typeof level.at === 'number' ? level.at + 1 : null;
        break;
      case QUOTE: {
        const end = endOfText(text, index);
        if (level?.at === null) {
          level.at = unescaped(text.slice(index + 1, end));
          addName(level, level.at, levels);
        }
        index = end;
      }
    }
  }
}

function tooManyValues(): Problem {
  const detail = `The body has more than ${MAX_VALUES} values; split it over several requests`;
  return violated([{ pointer: '#', code: 'TOO_MANY_VALUES', detail }]);
}

function tooManyMembers(levels: readonly Level[]): Problem {
  const place = pointer(levels.slice(0, -1).map(({ at }) => at ?? ''));
  const detail = `${place === '#' ? 'The body' : place} has more than ${MAX_MEMBERS} members; no object takes so many`;
  return violated([{ pointer: place, code: 'TOO_MANY_VALUES', detail }]);
}

function addName(level: Level, name: string, levels: readonly Level[]): void {
  level.names ??= new Set();
  const known = level.names.size;
  level.names.add(name);
  if (level.names.size > MAX_MEMBERS) throw tooManyMembers(levels);
  const isTwice = level.names.size === known;
  if (!isTwice && name !== '__proto__') return;
  const place = pointer(levels.map(({ at }) => at ?? ''));
  const detail = isTwice ? `The body has the member ${place} twice` : 'The body has a member named __proto__';
  throw violated([{ pointer: place, code: 'INVALID_BODY', detail }]);
}

/** Finds the quote that closes a text: an even number of backslashes precedes it. */
function endOfText(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** A name with its escapes undone: `"\u0061"` is the same member as `"a"`. */
function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}
