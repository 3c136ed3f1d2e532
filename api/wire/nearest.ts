/** The name that was probably meant: the nearest one, if it is near at all; upper and lower case do not count. */
export function nearest(name: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let shortest = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < shortest) [best, shortest] = [candidate, distance];
  }
  return best;
}

/** `; did you mean x?`, or nothing. */
export function suggestion(name: string, names: Iterable<string>): string {
  const near = nearest(name, names);
  return near === null ? '' : `; did you mean ${near}?`;
}

/** Levenshtein: inserted, removed and replaced characters. Long texts are cut, so that a caller cannot make it slow. */
function editDistance(left: string, right: string): number {
  const a = left.slice(0, 64);
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === right[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1));
    }
  }
  return row[right.length]!;
}
