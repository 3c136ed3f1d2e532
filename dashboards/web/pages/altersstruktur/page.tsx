import * as Plot from '@observablehq/plot';
import { oneOf, someOf, useChoices } from '../../address/address.ts';
import { CARRIERS, type Carrier, carrierColor, carrierName, carrierRank } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { count, megawatts } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { toggled } from '../../frame/legend.tsx';
import { Page as Frame } from '../../frame/page.tsx';
import type { Table } from '../../frame/table.ts';
import { analysisQuery, region } from '../../regions/region.ts';
import { RegionPicker } from '../../regions/region-picker.tsx';
import { useRegionName } from '../../regions/use-region-name.ts';
import type { AgeStructure } from '../../v1/answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';

const CHOICES = { region, traeger: someOf(CARRIERS), wert: oneOf(['mw', 'anzahl']) };

const COHORT_NAMES: Readonly<Record<string, string>> = {
  '0-20': 'unter 20 Jahre',
  '20-25': '20 bis unter 25 Jahre',
  '25+': '25 Jahre und älter',
};

export function Page() {
  const [{ region: place, traeger, wert }, change] = useChoices(CHOICES);
  const name = useRegionName(place);
  const request: ApiRequest = { path: '/v1/region/altersstruktur', query: analysisQuery(place) };
  const loaded = useAnswer<AgeStructure>(request);
  const rowsOf = ({ data }: AgeStructure) => data.filter((row) => traeger.includes(row.energietraeger as Carrier));
  const tableOf = (answer: AgeStructure): Table => ({
    columns: [
      { name: 'Alter' },
      { name: 'Energieträger' },
      { name: 'Einheiten', numeric: true, digits: 0 },
      { name: 'Leistung', unit: 'MW', numeric: true },
    ],
    rows: rowsOf(answer).map((row) => [
      COHORT_NAMES[row.kohorte] ?? row.kohorte,
      carrierName(row.energietraeger),
      row.anzahl,
      row.mw,
    ]),
  });
  return (
    <Frame title="Altersstruktur" lead="Wie alt die Anlagen in Betrieb sind, nach Energieträger.">
      <div class="choices">
        <RegionPicker label="Region" value={place} onChange={(next) => change({ region: next })} />
        <label>
          Wert
          <select value={wert} onChange={(event) => change({ wert: event.currentTarget.value as 'mw' | 'anzahl' })}>
            <option value="mw">Leistung</option>
            <option value="anzahl">Anzahl</option>
          </select>
        </label>
      </div>
      <Figure
        title={`Alter der Anlagen in Betrieb: ${name}`}
        unit={
          wert === 'mw'
            ? 'MW brutto nach vollendeten Jahren seit Inbetriebnahme'
            : 'Einheiten nach vollendeten Jahren seit Inbetriebnahme'
        }
        loaded={loaded}
        requests={[request]}
        shows="das Alter der Anlagen in Betrieb"
        table={tableOf}
        empty={(answer) =>
          answer.data.length === 0 ? 'Hier sind keine Anlagen mit Inbetriebnahmedatum in Betrieb.' : null
        }
        legend={{
          entries: CARRIERS.map((id) => ({
            id,
            name: carrierName(id),
            color: carrierColor(id),
            on: traeger.includes(id),
          })),
          onToggle: (id) => change({ traeger: toggled(id as Carrier, traeger, CARRIERS) }),
        }}
      >
        {(answer) => (
          <Chart
            label={`Balken je Altersgruppe: ${name}`}
            options={(width) => ({
              height: 200,
              marginLeft: width < 500 ? 40 : 150,
              x: {
                label: wert === 'mw' ? 'MW' : 'Einheiten',
                grid: true,
                tickFormat: wert === 'mw' ? megawatts : count,
              },
              y: {
                label: null,
                tickFormat: (cohort: string) => (width < 500 ? cohort : (COHORT_NAMES[cohort] ?? cohort)),
              },
              marks: [
                Plot.barX(rowsOf(answer), {
                  x: wert,
                  y: 'kohorte',
                  fill: (row: { energietraeger: string }) => carrierColor(row.energietraeger),
                  order: (row: { energietraeger: string }) => carrierRank(row.energietraeger),
                }),
                Plot.ruleX([0]),
              ],
            })}
          />
        )}
      </Figure>
    </Frame>
  );
}
