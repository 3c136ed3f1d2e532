import pLimit from 'p-limit';
import { z } from 'zod';
import { coveredPlaceRow } from '../../sql/query/places.ts';
import { hintsShape } from '../hints/hints.ts';
import { conspicuousShape } from '../quality/conspicuous.ts';
import { bezugShape } from './bezug.ts';

/**
 * An analysis of several places is that of each, one after the other in one set of rows: places may overlap, and each has inhabitants,
 * hints and conspicuous units of its own.
 */

/** Analyses that are under way at a time: others want their turn, too. */
const AT_ONCE = 4;

export const placesMetaShape = {
  orte: z
    .array(
      z.strictObject({
        region: z.string().describe('As it was sent'),
        regionen: z.array(coveredPlaceRow).optional(),
        bezug: bezugShape.bezug.optional(),
        ...conspicuousShape,
        ...hintsShape,
      }),
    )
    .optional()
    .describe('With several places: what `meta` says of one, for each'),
};

/** What the meta of an answer about one place says of it. */
interface Told {
  readonly ebene: string | null;
  readonly region: string | null;
  readonly auffaellig: { readonly count: number; readonly bruttoleistungKw: number } | null;
  readonly bezug?: unknown;
}

interface Answer<Row, About> {
  readonly rows: readonly Row[];
  readonly told: About;
}

interface Places {
  readonly region?: string | undefined;
  /** Undefined: one place, or the country. */
  readonly regionen?: readonly string[] | undefined;
}

/** Reads the answer to a question about one place, or to each of one about several. */
export async function ofEachPlace<Question extends Places, Row extends object, About extends Told>(
  question: Question,
  read: (one: Question) => Promise<Answer<Row, About>>,
) {
  const { regionen: regions } = question;
  if (regions === undefined) return read(question);
  const limit = pLimit(AT_ONCE);
  const answers = await Promise.all(
    regions.map((region) =>
      limit(async () => ({ region, ...(await read({ ...question, region, regionen: undefined })) })),
    ),
  );
  const [first] = answers;
  return {
    rows: answers.flatMap(({ region, rows }) => rows.map((row) => ({ region, ...row }))),
    told: {
      ebene: first?.told.ebene ?? null,
      region: null,
      ...(first !== undefined && 'bezug' in first.told ? { bezug: null } : {}),
      auffaellig: sumOf(answers.map(({ told }) => told.auffaellig)),
      orte: answers.map(({ region, told: { ebene: _, region: __, ...told } }) => ({ region, ...told })),
    },
  };
}

function sumOf(found: readonly Told['auffaellig'][]): Told['auffaellig'] {
  const known = found.filter((one) => one !== null);
  if (known.length < found.length) return null;
  const watts = known.reduce((sum, { bruttoleistungKw }) => sum + Math.round(bruttoleistungKw * 1000), 0);
  return { count: known.reduce((sum, { count }) => sum + count, 0), bruttoleistungKw: watts / 1000 };
}
