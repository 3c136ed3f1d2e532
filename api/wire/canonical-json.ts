/** Writes JSON with sorted names, so that equal values have equal texts. @param value as JSON.parse gives it */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const members = new Map(Object.entries(value));
  const written = [...members.keys()]
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(members.get(name))}`);
  return `{${written.join()}}`;
}
