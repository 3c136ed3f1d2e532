const MINUTE_MILLISECONDS = 60_000;

/** Names remembered within a minute; further ones count as seen, so that a flood of names is not a flood of firsts. */
const MAX_ENTRIES = 1_000;

/** @returns a function that returns true when a name comes for the first time in this minute */
export function onceAMinute(): (name: string) => boolean {
  const seen = new Set<string>();
  let until = 0;
  return (name) => {
    const now = performance.now();
    if (now >= until) {
      seen.clear();
      until = now + MINUTE_MILLISECONDS;
    }
    if (seen.has(name) || seen.size >= MAX_ENTRIES) return false;
    seen.add(name);
    return true;
  };
}
