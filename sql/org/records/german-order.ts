const collator = new Intl.Collator('de');

/** Sorts rows that have few names, all of them in memory, by name in German order, then by id. */
export const inGermanOrder = <Row extends { readonly name: string; readonly id: string }>(
  rows: readonly Row[],
): Row[] => rows.toSorted((a, b) => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : Number(a.id > b.id)));
