import { UNIT_COLUMNS } from './columns.ts';

/** What of the local file is copied into ClickHouse; the question tables and the roll-ups are filled by views. */

/** A column of `units` as DuckDB hands it over: values of the type that units.sql of ClickHouse declares. */
const handedOver = UNIT_COLUMNS.map(({ name, kind }) => {
  if (kind === 'day') return `${name} - DATE '1970-01-01' AS ${name}`;
  if (kind === 'time') return `epoch_ms(${name}) AS ${name}`;
  if (kind === 'list') return `coalesce(${name}, []) AS ${name}`;
  return name;
});

/** Tables in the order of copying, with their select lists in DuckDB. `dataset` comes last: it says that all is there. */
export const COPIED_TABLES: Readonly<Record<string, string>> = {
  units: handedOver.join(', '),
  units_departed: ['abgangSeit', 'abgangGrund', ...handedOver].join(', '),
  units_ersetzt: ['ersetztSeit', 'ersetztAm', ...handedOver].join(', '),
  vorgaenger: '*',
  marktakteure: '* REPLACE (coalesce(marktrollen, []) AS marktrollen)',
  suchtexte: '*',
  suchnamen: '*',
  regionen: '*',
  referenzwerte: '*',
  katalogwerte: '*',
  zusatztabellen: '*',
  dateien: '*',
  befunde: '*',
  dataset: '*',
};
