import { carrierName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import type { Table } from '../../frame/table.ts';
import { nameOfPeriod } from '../../periods/words.ts';
import type { Column } from './growth.ts';
import type { GrowthView } from './growth-chart.tsx';

/** The rows of the interface, or their running sums. */
export const growthTable = (columns: readonly Column[], { kind }: GrowthView, isCumulative: boolean): Table => {
  const sum = isCumulative ? say(', Summe', ', sum') : '';
  const units = (name: string) => ({
    name: `${name}${sum}`,
    unit: say('Einheiten', 'units'),
    numeric: true,
    digits: 0,
  });
  const power = (name: string) => ({ name: `${name}${sum}`, unit: 'MW', numeric: true, digits: 3 });
  const energy = (name: string) => ({
    name: say(`${name} Speicher${sum}`, `${name} storage${sum}`),
    unit: 'MWh',
    numeric: true,
    digits: 3,
  });
  return {
    columns: [
      { name: say('Periode', 'Period'), isPeriod: true },
      { name: say('Energieträger', 'Carrier') },
      units(say('Zubau', 'Added')),
      power(say('Zubau', 'Added')),
      units(say('Abbau', 'Removed')),
      power(say('Abbau', 'Removed')),
      units('Pipeline'),
      power('Pipeline'),
      energy(say('Zubau', 'Added')),
      energy(say('Abbau', 'Removed')),
      energy('Pipeline'),
    ],
    rows: columns.flatMap(({ period, parts }) =>
      parts.map((part) => [
        nameOfPeriod(kind, period),
        carrierName(part.carrier),
        part.zubauAnzahl,
        part.zubauMw,
        part.abbauAnzahl,
        part.abbauMw,
        part.pipelineAnzahl,
        part.pipelineMw,
        part.zubauMwh,
        part.abbauMwh,
        part.pipelineMwh,
      ]),
    ),
  };
};
