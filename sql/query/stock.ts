import { z } from 'zod';
import { fieldNamed } from '../catalogue/unit-fields.ts';
import { fieldExpression } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';

/**
 * Units that had been commissioned by the end of a day, and not decommissioned for good. Units are counted by the first of the
 * days that they reach and the first that they do not, and these few counts are added up for each day.
 */
export interface Stock {
  /** Columns of units, as `expression AS name`, by which they are counted as well. */
  readonly counted: readonly string[];
  /** Figures of a group over what is counted, each as `expression AS name`. */
  readonly sums: string;
  /** Names of these figures. */
  readonly names: readonly string[];
  /** The columns of an answer, over a table `unit_groups` with the figures. */
  readonly columns: string;
}

const figures = z.array(z.number().nullable()).optional();

/** What the columns are in a row: a figure for each day; kW and kWh. */
export const stockMembers = { bestandAnzahl: figures, bestandKw: figures, bestandKwh: figures };

const FIGURES = { bestandAnzahl: 'anzahl', bestandKw: 'kw', bestandKwh: 'kwh' } as const;

/** Fields that it reads. */
export const STOCK_READS = ['inbetriebnahmedatum', 'stilllegungsdatum'] as const;

/** @param days in their order, each once */
export function stockOf(days: readonly string[], dialect: Dialect, values: Binder): Stock {
  const bound = days.map((day) => dialect.day(values.bind(day)));
  // Most units are young: the last days come first.
  const daysBefore = (field: string): string => {
    const column = fieldExpression(fieldNamed(field), dialect);
    const steps = bound.map((day, index) => `WHEN ${column} > ${day} THEN ${index + 1}`).reverse();
    return `CASE WHEN ${column} IS NULL THEN ${days.length} ${steps.join(' ')} ELSE 0 END`;
  };
  const nameOf = (figure: string, index: number): string => `${figure}${index}`;
  const names = Object.keys(FIGURES).flatMap((name) => days.map((_, index) => nameOf(name, index)));
  return {
    counted: [`${daysBefore('inbetriebnahmedatum')} AS seit`, `${daysBefore('stilllegungsdatum')} AS bis`],
    sums: Object.entries(FIGURES)
      .flatMap(([name, figure]) =>
        days.map(
          (_, index) =>
            `sum(CASE WHEN seit <= ${index} AND bis > ${index} THEN ${figure} ELSE 0 END) AS ${nameOf(name, index)}`,
        ),
      )
      .join(',\n    '),
    names,
    columns: Object.keys(FIGURES)
      .map((name) => {
        const items = days.map((_, index) => `CAST(unit_groups.${nameOf(name, index)} AS DOUBLE)`);
        return `  [${items.join(', ')}] AS "${name}",`;
      })
      .join('\n'),
  };
}
