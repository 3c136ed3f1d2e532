import type { z } from 'zod';
import { MISSING, RECORD_SEPARATOR, UNIT_SEPARATOR } from '../../sql/warehouse/search/layout.ts';
import type { NameSearch, Names } from '../../sql/warehouse/search/names.ts';
import type { ActorMatch, nameMatch } from './hit.ts';

/** Finds the best names in the search index of a version, with the rows that actors.sql and names.sql answer otherwise. */

export async function actorsOfIndex(names: Names, search: NameSearch): Promise<ActorMatch[]> {
  const found = await names.find(search);
  const records = await names.records(found.map(({ place }) => place));
  return found.map(({ matchRank }, index) => {
    const texts = (records[index] ?? '').split(UNIT_SEPARATOR).map((text) => (text === MISSING ? null : text));
    const [mastrNummer, name = null, marktfunktion = null, ort = null, bundesland = null, anlagenAnzahl] = texts;
    if (mastrNummer == null) throw new Error('A market actor of the search index has no number');
    return { matchRank, mastrNummer, name, marktfunktion, ort, bundesland, anlagenAnzahl: Number(anlagenAnzahl) };
  });
}

type NameMatch = z.infer<typeof nameMatch>;

/** The best units have the best names, so the largest units of those names are put into one order. */
export async function unitsOfIndex(names: Names, search: NameSearch): Promise<NameMatch[]> {
  const found = await names.find(search);
  const records = await names.records(found.map(({ place }) => place));
  const units = found.flatMap(({ matchRank }, index) =>
    (records[index] ?? '').split(RECORD_SEPARATOR).map((unit) => {
      const [digits, kw] = unit.split(UNIT_SEPARATOR);
      return { matchRank, digits: Number(digits), kw: kw === undefined ? Number.NEGATIVE_INFINITY : Number(kw) };
    }),
  );
  return units
    .sort((a, b) => a.matchRank - b.matchRank || larger(a.kw, b.kw) || a.digits - b.digits)
    .slice(0, search.limit)
    .map(({ matchRank, digits }) => ({ matchRank, digits }));
}

/** Orders capacities, the larger first; two that are unknown are equal. */
const larger = (a: number, b: number): number => (a === b ? 0 : b - a);
