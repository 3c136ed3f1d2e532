import fc from 'fast-check';
import type { SortKey } from '../../../sql/query/keyset.ts';
import { fieldNamed, type Unit } from './memory.ts';

/** Registers with few different values, so that ties and nulls are the rule. */

const day = fc.constantFrom('1999-12-31', '2000-01-01', '2004-02-29', '2024-02-29', '2026-03-15');

export const units: fc.Arbitrary<Unit[]> = fc
  .array(
    fc.record({
      einheitTyp: fc.constantFrom('wind', 'solar', 'storage'),
      bundesland: fc.option(fc.constantFrom('Bayern', 'bayern', 'Hessen', "O'Land", 'Baden-Württemberg')),
      plz: fc.option(fc.constantFrom('01067', '10115', '101', '85579', '%')),
      bruttoleistungKw: fc.option(fc.constantFrom(0, 0.001, 0.3, 9.9, 29.999, 30, 750.123, 123456789012.345)),
      inbetriebnahmedatum: fc.option(day),
      registrierungsdatum: fc.option(day),
    }),
    { maxLength: 25 },
  )
  .map((rows) => rows.map((row, index) => ({ mastrNummer: `SEE${String(900 + index).padStart(12, '0')}`, ...row })));

const SORTABLE = ['bruttoleistungKw', 'inbetriebnahmedatum', 'registrierungsdatum'] as const;

export const sorts: fc.Arbitrary<SortKey[]> = fc
  .tuple(
    fc.shuffledSubarray([...SORTABLE]),
    fc.nat(SORTABLE.length),
    fc.infiniteStream(fc.constantFrom('asc' as const, 'desc' as const)),
  )
  .map(([names, place, directions]) =>
    // Behind the number, which every unit has for itself, keys decide nothing.
    [...names.slice(0, place), 'mastrNummer' as const, ...names.slice(place)].map((name) => ({
      field: fieldNamed(name),
      direction: directions.next().value,
    })),
  );
