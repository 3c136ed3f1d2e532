import { describe, expect, test } from 'vitest';
import type { Ask, Question } from './question.ts';
import { QUESTIONS } from './questions.ts';
import { seeded } from './random.ts';
import { type SampledUnit, sampleFrom } from './sample.ts';

const unit = (more: Partial<SampledUnit>): SampledUnit => ({
  mastrNummer: 'SEE900000000001',
  einheitTyp: 'solar',
  betriebsStatus: 'In Betrieb',
  bundesland: 'Bayern',
  landkreis: 'Hof',
  gemeinde: 'Naila',
  plz: '95119',
  bruttoleistungKw: 9.9,
  inbetriebnahmedatum: '2020-05-04',
  betreiberMastrNummer: 'ABR900000000001',
  netzbetreiber: 'Netz Süd, Gesellschaft',
  spannungsebene: 'Niederspannung',
  name: 'PV Sonnenhof 12',
  ort: 'Bad Steben',
  betreiberName: null,
  ...more,
});

const SAMPLE = sampleFrom(
  [
    unit({}),
    unit({ mastrNummer: 'SEE900000000002', bundesland: null, name: 'Öko', plz: null }),
    unit({ mastrNummer: 'SEE900000000003', einheitTyp: 'wind', name: 'Windpark Hohe Rhön', ort: 'Fladungen' }),
  ],
  3,
);

describe('random choices', () => {
  const drawn = (seed: number) => {
    const random = seeded(seed);
    return Array.from({ length: 50 }, () => random.below(1000));
  };

  test('are the same for the same seed, and others for another', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });

  test('reach every item', () => {
    const random = seeded(1);
    expect(new Set(Array.from({ length: 200 }, () => random.of(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
  });

  test('take some items, each once, and no more than there are', () => {
    const taken = seeded(1).some(5, [1, 2, 3]);
    expect(taken.sort()).toEqual([1, 2, 3]);
    expect(seeded(1).some(2, [1, 2, 3])).toHaveLength(2);
    expect(() => seeded(1).of([])).toThrow(RangeError);
  });
});

describe('a sample', () => {
  test('gives units that have all the values asked for', () => {
    const random = seeded(3);
    for (let time = 0; time < 20; time++) {
      expect(SAMPLE.unitWith(random, 'bundesland', 'plz').mastrNummer).not.toBe('SEE900000000002');
    }
  });

  test('gives words of one unit, of letters that need no folding', () => {
    const random = seeded(3);
    const pairs = new Set(Array.from({ length: 50 }, () => SAMPLE.words(random).join(' ')));
    expect([...pairs].sort()).toEqual(['hohe fladungen', 'sonnenhof steben', 'windpark fladungen']);
  });

  test('gives the first three letters of words', () => {
    const random = seeded(3);
    expect(new Set(Array.from({ length: 50 }, () => SAMPLE.beginning(random)))).toEqual(new Set(['son', 'win', 'hoh']));
  });
});

describe('the same seed gives the same requests', () => {
  const answered = { status: 200, etag: 'W/"1"', milliseconds: 1 };
  const page = {
    data: [{ mastrNummer: 'SEE900000000001', bruttoleistungKw: 1, inbetriebnahmedatum: null }],
    meta: { page: { hasMore: true, cursor: 'further' } },
  };
  const detail = { data: { geplantesInbetriebnahmedatum: null, registrierungsdatum: '2020-01-01' } };
  const get = async (path: string) => ({ ...answered, json: () => (path.includes('/SEE') ? detail : page) });

  async function firstAsks({ asks }: Question, seed: number): Promise<Ask[]> {
    const source = asks(SAMPLE, seeded(seed), get);
    const found: Ask[] = [];
    let next = await source.next();
    while (found.length < 30) {
      found.push(next.value);
      next = await source.next(await get(next.value.path));
    }
    return found;
  }

  const told = (asks: readonly Ask[]) => JSON.stringify(asks);

  test.each(QUESTIONS.map((question) => [question.id, question] as const))('%s', async (_, question) => {
    const once = await firstAsks(question, 5);
    expect(told(once)).toBe(told(await firstAsks(question, 5)));
    // Requests vary: that is what makes them a measurement.
    expect(new Set(once.map(({ path }) => path)).size).toBeGreaterThan(1);
    for (const { text, values } of once.flatMap(({ sql }) => sql)) {
      const places = new Set([...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)));
      expect([...places].sort((a, b) => a - b)).toEqual(values.map((_value, place) => place + 1));
    }
  });
});
