/** Faults beyond this number are only counted. */
const MAX_REPORTED = 10;

/** Tells why a table of the operator was refused, without quoting its lines. */
export function describeFaults(faults: readonly string[]): string {
  const rest = faults.length - MAX_REPORTED;
  const lines = [...faults.slice(0, MAX_REPORTED), ...(rest > 0 ? [`and ${rest} more`] : [])];
  return `Nothing was loaded:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
