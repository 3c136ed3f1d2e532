import { listItems, listText } from '../../v1/request.ts';

/** The columns that were chosen last in this browser: a list whose link names none has these. */

const NAME = 'einheiten.fields';

export function keptColumns(): readonly string[] | null {
  const kept = allowed(() => localStorage.getItem(NAME));
  return kept === null ? null : listItems(kept);
}

/** @param columns null = the usual ones */
export function keepColumns(columns: readonly string[] | null): void {
  allowed(() => {
    if (columns === null) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, listText(columns) || 'mastrNummer');
  });
}

/** A browser may forbid to keep anything; then nothing is kept. */
function allowed<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
