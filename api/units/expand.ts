import { z } from 'zod';
import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import { type ActorRow, actorsStatement } from '../../sql/query/actors.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import type { UnitRow } from './read.ts';

/** `expand`: the market actors that a unit refers to, beside it under `expanded`. They load nothing further. */

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

/** @returns what stands beside a unit: its actors, null where the reference leads to none that is served */
export async function expandedActors(
  expansions: readonly string[],
  rows: readonly UnitRow[],
  dataset: Dataset,
): Promise<(row: UnitRow) => { expanded?: Expanded }> {
  if (expansions.length === 0) return () => ({});
  const asked = expansions as readonly Expansion[];
  const numberIn = (row: UnitRow, expansion: Expansion) => row[REFERENCES[expansion].name] as string | null;
  const numbers = new Set(rows.flatMap((row) => asked.flatMap((expansion) => numberIn(row, expansion) ?? [])));
  const found =
    numbers.size === 0
      ? []
      : await dataset.query<ActorRow>(actorsStatement([...numbers].sort(), dataset.dialects.units));
  const actors = new Map(found.map((row) => [row.mastrNummer, row]));
  return (row) => ({
    expanded: Object.fromEntries(
      asked.map((expansion) => [expansion, actors.get(numberIn(row, expansion) ?? '') ?? null]),
    ),
  });
}
