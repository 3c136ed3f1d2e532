import type { Question } from '../question.ts';

/** Questions about earlier days, of a version that nights have made: others have no past. */

/** A page of changes tells of so many, at most. */
const CHANGED = 250;

const withoutEquivalent = { sql: [], pairs: () => [] };

export const HISTORIE: Question = {
  id: 'historie',
  name: 'historie of a unit that changed',
  aims: { p50: 5, p99: 40 },
  async *requests(_, random, get) {
    const { data } = (await get(`/v1/aenderungen?art=geaendert&limit=${CHANGED}`)).json();
    for (;;) {
      const { mastrNummer } = random.of<{ mastrNummer: string }>(data);
      yield { path: `/v1/units/${mastrNummer}/historie`, ...withoutEquivalent };
    }
  },
};

/** The same question about the first day that is known, which may take five times as long. */
export const asOfFirstDay = ({ id, name, aims, requests }: Question): Question => ({
  id: `${id}-stand`,
  name: `${name}, as of the first day`,
  aims: { p50: 5 * aims.p50, p99: 5 * aims.p99 },
  async *requests(sample, random, get) {
    const { meta } = (await get('/v1/aenderungen?limit=1')).json();
    for await (const { path } of requests(sample, random, get)) {
      yield { path: `${path}${path.includes('?') ? '&' : '?'}stand=${meta.bekanntAb}`, ...withoutEquivalent };
    }
    throw new Error(`${id} has no end`);
  },
});
