import { carrierName } from '../../charts/carriers.ts';
import type { Table } from '../../frame/table.ts';
import { nameOfPeriod } from '../../periods/words.ts';
import type { Column } from './growth.ts';
import type { GrowthView } from './growth-chart.tsx';

/** The rows of the interface, or their running sums. */
export const growthTable = (columns: readonly Column[], { kind }: GrowthView, isCumulative: boolean): Table => {
  const sum = isCumulative ? ', Summe' : '';
  const units = (name: string) => ({ name: `${name}${sum}`, unit: 'Einheiten', numeric: true, digits: 0 });
  const power = (name: string) => ({ name: `${name}${sum}`, unit: 'MW', numeric: true, digits: 3 });
  const energy = (name: string) => ({ name: `${name} Speicher${sum}`, unit: 'MWh', numeric: true, digits: 3 });
  return {
    columns: [
      { name: 'Periode' },
      { name: 'Energieträger' },
      units('Zubau'),
      power('Zubau'),
      units('Abbau'),
      power('Abbau'),
      units('Pipeline'),
      power('Pipeline'),
      energy('Zubau'),
      energy('Abbau'),
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
