/** Every name is shorter: a longer text was not meant to be one of them, and would take long to compare. */
const MAX_NAME_LENGTH = 64;

/** Finds the name that was probably meant: the nearest one, if it is near enough; case is ignored. */
export function nearest(name: string, names: Iterable<string>): string | null {
  if (name.length > MAX_NAME_LENGTH) return null;
  const typed = name.toLowerCase();
  let best: string | null = null;
  let shortest = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    // Each character that one of them has more is an edit at least.
    if (Math.abs(candidate.length - name.length) >= shortest) continue;
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance < shortest) [best, shortest] = [candidate, distance];
  }
  return best;
}

/** `; did you mean x?`, or nothing. */
export function suggestion(name: string, names: Iterable<string>): string {
  const near = nearest(name, names);
  return near === null ? '' : `; did you mean ${near}?`;
}

/** Levenshtein: inserted, removed and replaced characters. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}
