const MINUTE_MILLISECONDS = 60_000;

/** Names told apart within a minute; what comes beyond them is not the first of anything. */
const MAX_ENTRIES = 1_000;

/** @returns a function that tells whether a name is met for the first time in this minute */
export function onceAMinute(): (name: string) => boolean {
  const met = new Set<string>();
  let until = 0;
  return (name) => {
    const now = performance.now();
    if (now >= until) {
      met.clear();
      until = now + MINUTE_MILLISECONDS;
    }
    if (met.has(name) || met.size >= MAX_ENTRIES) return false;
    met.add(name);
    return true;
  };
}
