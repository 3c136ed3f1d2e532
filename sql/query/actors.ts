import type { Dialect } from './dialect.ts';
import { binder, type WarehouseStatement } from './statement.ts';

/** A market actor as the table `marktakteure` has it: an organisation. */
export interface ActorRow {
  readonly mastrNummer: string;
  readonly name: string | null;
  readonly marktfunktion: string | null;
  readonly bundesland: string | null;
  readonly ort: string | null;
  /** Served units that name it as their operator. */
  readonly anlagenAnzahl: number;
}

const COLUMNS = ['mastrNummer', 'name', 'marktfunktion', 'bundesland', 'ort', 'anlagenAnzahl'];

/** Those of these numbers that are market actors: rows of ActorRow. @param numbers at least one */
export function actorsStatement(numbers: readonly string[], dialect: Dialect): WarehouseStatement {
  const values = binder();
  const columns = COLUMNS.map((name) => dialect.column(name)).join(', ');
  const asked = numbers.map((number) => values.bind(number)).join(', ');
  return {
    text: `SELECT ${columns} FROM marktakteure WHERE ${dialect.column('mastrNummer')} IN (${asked})`,
    values: values.values,
  };
}
