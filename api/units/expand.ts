import { z } from 'zod';
import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import { actorRow, actorsStatement } from '../../sql/query/actors.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import type { UnitRow } from './read.ts';

/** `expand` adds the market actors that a unit refers to, under `expanded`. Their own references are not followed. */

const REFERENCES = {
  marktakteur: fieldNamed('betreiberMastrNummer'),
  netzbetreiber: fieldNamed('netzbetreiberMastrNummer'),
} as const;

type Expansion = keyof typeof REFERENCES;

export const EXPANSIONS = Object.keys(REFERENCES) as Expansion[];

const actor = z
  .strictObject({
    mastrNummer: z.string(),
    name: z.string().nullable(),
    marktfunktion: z.string().nullable(),
    bundesland: z.string().nullable(),
    ort: z.string().nullable(),
    anlagenAnzahl: z.int().describe('Served units that name it as their operator'),
  })
  .meta({ id: 'MarketActor' });

export const expandedShape = z.strictObject({
  marktakteur: actor.nullable().optional().describe('The operator; null for natural persons'),
  netzbetreiber: actor.nullable().optional().describe('The grid operator'),
});

type Expanded = z.infer<typeof expandedShape>;

/** The fields that hold the references. */
export const referenceFields = (expansions: readonly string[]) =>
  (expansions as readonly Expansion[]).map((expansion) => REFERENCES[expansion]);

/** Reads the actors of a page. @returns `expanded` of a row, with null when a reference leads to no served actor */
export async function expandedActors(
  expansions: readonly string[],
  rows: readonly UnitRow[],
  dataset: Dataset,
): Promise<(row: UnitRow) => { expanded?: Expanded }> {
  if (expansions.length === 0) return () => ({});
  const chosen = expansions as readonly Expansion[];
  const numberIn = (row: UnitRow, expansion: Expansion) => row[REFERENCES[expansion].name] as string | null;
  const numbers = new Set(rows.flatMap((row) => chosen.flatMap((expansion) => numberIn(row, expansion) ?? [])));
  const found =
    numbers.size === 0
      ? []
      : await dataset.query(actorRow, actorsStatement([...numbers].sort(), dataset.dialects.units));
  const actors = new Map(found.map((row) => [row.mastrNummer, row]));
  return (row) => ({
    expanded: Object.fromEntries(
      chosen.map((expansion) => [expansion, actors.get(numberIn(row, expansion) ?? '') ?? null]),
    ),
  });
}
