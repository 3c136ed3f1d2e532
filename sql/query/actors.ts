import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { binder, type WarehouseStatement } from './statement.ts';

/** A market actor as the table `marktakteure` has it: an organisation. */
export const actorRow = z.strictObject({
  mastrNummer: z.string(),
  name: z.string().nullable(),
  marktfunktion: z.string().nullable(),
  bundesland: z.string().nullable(),
  ort: z.string().nullable(),
  /** Served units that name it as their operator. */
  anlagenAnzahl: z.int(),
});

/** Selects those of the numbers that are market actors: rows of actorRow. @param numbers at least one */
export function actorsStatement(numbers: readonly string[], dialect: Dialect): WarehouseStatement {
  const values = binder();
  const columns = Object.keys(actorRow.shape)
    .map((name) => dialect.column(name))
    .join(', ');
  const placeholders = numbers.map((number) => values.bind(number)).join(', ');
  return {
    text: `SELECT ${columns} FROM marktakteure WHERE ${dialect.column('mastrNummer')} IN (${placeholders})`,
    values: values.values,
  };
}
