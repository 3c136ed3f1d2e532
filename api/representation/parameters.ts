import type { z } from 'zod';
import { type CsvDialect, DIALECT_NAMES, DIALECTS, type DialectName, RFC_4180 } from '../../runtime/csv-dialect.ts';
import type { Faults } from '../problem/problem.ts';
import type { Notation } from '../wire/notation.ts';
import { oneWord } from '../wire/parameters.ts';
import { CSV } from './csv.ts';
import { XLSX } from './xlsx.ts';

/** The parameters that choose the form of an answer, as every operation with a table takes them. */

/** Media types by the words of `format`. */
const MEDIA: Readonly<Record<string, string>> = {
  json: 'application/json',
  geojson: 'application/geo+json',
  csv: CSV,
  xlsx: XLSX,
};

/** The form in which a caller wants a table. */
export interface TableWish {
  /** Of CSV. */
  readonly dialect: CsvDialect;
  /** The last record of CSV is the sentence of attribution. */
  readonly withSource: boolean;
  /** The request as it was written, which a workbook tells; null for any other form. */
  readonly request: string | null;
}

/** @param delivered media types of the operation */
export function representationShape(delivered: readonly string[], notation: Notation) {
  const [first = 'json', ...others] = Object.keys(MEDIA).filter((word) => delivered.includes(MEDIA[word] ?? ''));
  return {
    format: oneWord([first, ...others])
      .optional()
      .describe('Form of the answer; it wins over `Accept`'),
    dialekt: oneWord(DIALECT_NAMES)
      .optional()
      .describe(
        'Only with CSV. `excel`: byte order mark, semicolons and decimal commas, as a German Excel opens it by a double click',
      ),
    quelle: notation
      .flag()
      .optional()
      .describe('Only with CSV. `true`: the last record is the sentence of attribution, in its first cell'),
  } satisfies Record<string, z.ZodType>;
}

interface Wishes {
  readonly format?: string | undefined;
  readonly dialekt?: DialectName | undefined;
  readonly quelle?: boolean | undefined;
}

/**
 * Chooses the form of an answer.
 * @param wishes the parameters of `representationShape`, checked
 * @param accepted the media type that `Accept` prefers
 * @param request writes the request
 */
export function chosenForm(
  { format, dialekt, quelle }: Wishes,
  accepted: string,
  request: () => string,
  notation: Notation,
  faults: Faults,
): { media: string; table: TableWish } {
  const media = format === undefined ? accepted : (MEDIA[format] ?? accepted);
  if (media !== CSV) {
    for (const [name, value] of Object.entries({ dialekt, quelle })) {
      if (value === undefined) continue;
      faults.add(() => ({
        ...notation.location(name),
        code: 'INVALID_PARAMETER',
        detail: `${name} is only for CSV; ask for it with format=csv, or with Accept: ${CSV}`,
      }));
    }
  }
  return {
    media,
    table: {
      dialect: dialekt === undefined ? RFC_4180 : DIALECTS[dialekt],
      withSource: quelle === true,
      request: media === XLSX ? request() : null,
    },
  };
}
