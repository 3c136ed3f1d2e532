/** The rounds of the tenders of which the generator invents lists: their award number series, bid dates and published figures. */

import { readTable } from '../world/csv.ts';
import { baseOf, bits } from '../world/random.ts';
import { date, dayOf, dayText } from '../world/text.ts';

/** Published figures of a round; undefined where no source has them. Volumes in kW, values in ct/kWh. */
export interface Figures {
  readonly tendered?: number | undefined;
  readonly bid?: number | undefined;
  readonly awarded?: number | undefined;
  readonly awards?: number | undefined;
  readonly lowest?: number | undefined;
  readonly highest?: number | undefined;
  readonly mean?: number | undefined;
}

export interface Round {
  readonly series: string;
  /** Series, year and ordinal as award numbers begin: `WIN19-5`. */
  readonly code: string;
  readonly technology: string;
  /** Bid date. */
  readonly day: number;
  /** Day on which its list appears. */
  readonly published: number;
  readonly figures: Figures;
}

/**
 * Bid dates of the ordinals 1, 2, 3 … of a year as month and day (`0201`); `-` where the numbering has a gap. Only rounds that
 * had awards are here.
 */
const DATES: readonly (readonly [series: string, technology: string, dates: Readonly<Record<number, string>>])[] = [
  ['FFA', 'SOLAR_FREIFLAECHE', { 15: '0415 0801 1201', 16: '0401 0801 1201' }],
  [
    'SOL',
    'SOLAR_FREIFLAECHE',
    {
      17: '0201 0601 1001',
      18: '0201 0601 1001',
      19: '0201 0301 0601 1001 1201',
      20: '0201 0301 0601 0701 0901 1001 1201',
      21: '0301 0601 1101',
      22: '0301 0601 1101',
      23: '0301 0701 1201',
      24: '0301 0701 1201',
      25: '0301 0701 1201',
      26: '0301 0701 1201',
    },
  ],
  [
    'SDA',
    'SOLAR_DACH',
    {
      22: '0401 0801 1201',
      23: '0201 0601 1001',
      24: '0201 0601 1001',
      25: '0201 0601 1001',
      26: '0201 0601 1001',
    },
  ],
  [
    'WIN',
    'WIND',
    {
      17: '0501 0801 1101',
      18: '0201 0501 0801 1001',
      19: '0201 0501 0801 0901 1001 1201',
      20: '0201 0301 0601 0701 0901 1001 1201',
      21: '0201 0501 0901',
      22: '0201 0501 0901 1201',
      23: '0201 0501 0801 1101',
      24: '0201 0501 0801 1101',
      25: '0201 0501 0801 1101',
      26: '0201 0501 0801 1101',
    },
  ],
  [
    'BIO',
    'BIOMASSE',
    {
      17: '0901',
      18: '0901',
      19: '0401 1101',
      20: '0401 1101',
      21: '0301 0901',
      23: '0401 1001',
      24: '0401 1001',
      25: '0401 1001',
      26: '0401 1001',
    },
  ],
  ['Gem', 'GEMEINSAM', { 18: '0401 1101', 19: '- 0401 1101', 20: '0401 - 1101' }],
  ['INN', 'INNOVATION', { 20: '0901', 21: '0401 0801', 22: '0401', 23: '- 0901', 24: '0501 0901', 25: '0501 0901' }],
  ['iKWK', 'KWK', { 25: '0601' }],
];

function number(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}

function figuresByRound(): ReadonlyMap<string, Figures> {
  return new Map(
    readTable('tender-rounds.csv').map((row) => {
      const [technology, day, tendered, bid, awarded, awards, lowest, highest, mean, source = ''] = row;
      const innovative = technology === 'KWK' && source.includes('iKWK');
      return [
        `${technology}${innovative ? ' iKWK' : ''} ${day}`,
        {
          tendered: number(tendered),
          bid: number(bid),
          awarded: number(awarded),
          awards: number(awards),
          lowest: number(lowest),
          highest: number(highest),
          mean: number(mean),
        },
      ];
    }),
  );
}

function read(): Round[] {
  const figures = figuresByRound();
  return DATES.flatMap(([series, technology, years]) =>
    Object.entries(years).flatMap(([year, dates]) =>
      dates.split(' ').flatMap((text, i) => {
        if (text === '-') return [];
        const day = date(2000 + Number(year), Number(text.slice(0, 2)), Number(text.slice(2)));
        const key = `${technology}${series === 'iKWK' ? ' iKWK' : ''} ${dayText(day)}`;
        const code = `${series}${year}-${i + 1}`;
        // Lists appear two and a half to eleven weeks after the bid date; those of the spring of 2020 came in September.
        const delayed = day >= date(2020, 3) && day < date(2020, 7);
        const published = delayed ? date(2020, 9, 15) : day + 18 + (bits(baseOf(0, 900, day), 1) % 60);
        return [{ series, code, technology, day, published, figures: figures.get(key) ?? {} }];
      }),
    ),
  );
}

/** All rounds, by series and time. */
export const ROUNDS: readonly Round[] = read();

/** First day of which `Registernummern` stand in the lists of wind. */
export const LISTS_NAME_UNITS = dayOf('2019-05-01') ?? 0;
/** Rounds from this bid date on are published with the volume of each award. */
export const LISTS_NAME_VOLUMES = dayOf('2024-06-01') ?? 0;
