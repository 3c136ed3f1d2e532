/** Finds the name that was probably meant, as the interface does: the nearest one, if it is near enough; case is ignored. */
export function nearest(name: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let shortest = Math.max(2, Math.floor(name.length / 3)) + 1;
  if (name.length > MOST_LETTERS) return null;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < shortest) [best, shortest] = [candidate, distance];
  }
  return best;
}

/** A longer text was not meant to be a name, and would take long to compare. */
const MOST_LETTERS = 64;

/** Letters that have to be put in, taken out or changed. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const above = row;
    row = [index + 1];
    for (const [at, wanted] of [...other].entries()) {
      const changed = (above[at] ?? 0) + (letter === wanted ? 0 : 1);
      row.push(Math.min(changed, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}
