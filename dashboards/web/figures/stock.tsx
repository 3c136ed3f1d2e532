import * as Plot from '@observablehq/plot';
import { useNavigation } from '../address/address.ts';
import { carrierColor, carrierName, carrierRank } from '../charts/carriers.ts';
import { Chart } from '../charts/chart.tsx';
import { say } from '../format/language.ts';
import { count, power, unitCount } from '../format/numbers.ts';
import { Figure } from '../frame/figure.tsx';
import type { Place } from '../regions/place.ts';
import type { Aggregation, Group } from '../v1/answers.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { statusFilters, stockRequest } from './requests.ts';

/** Rows share this height as long as none becomes too thin or too thick (px). */
const HEIGHT = 304;
const THINNEST_ROW = 36;
const THICKEST_ROW = 60;

/** Units in operation by carrier, with their capacity. */
export function Stock({ place: { region, name, own = false } }: { place: Place }) {
  const { at } = useNavigation();
  const request = stockRequest(region, own);
  const loaded = useAnswer<Aggregation>(request);
  const title = say(`Anlagen in Betrieb nach Energieträger: ${name}`, `Units in operation by carrier: ${name}`);
  return (
    <Figure
      title={title}
      unit={say('Leistung brutto und Zahl der Einheiten', 'Gross power and number of units')}
      loaded={loaded}
      requests={[request]}
      shows={say('die Anlagen in Betrieb nach Energieträger', 'the units in operation by carrier')}
      table={(answer) => ({
        columns: [
          { name: say('Energieträger', 'Carrier') },
          { name: say('Leistung', 'Power'), unit: 'kW', numeric: true },
          { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
          { name: say('Speicherkapazität', 'Storage capacity'), unit: 'kWh', numeric: true },
        ],
        rows: rowsOf(answer).map((group) => [
          carrierName(group.key ?? ''),
          group.bruttoleistungKw,
          group.count,
          group.key === 'storage' ? group.speicherkapazitaetKwh : null,
        ]),
      })}
      empty={({ data }) =>
        data.totals.count === 0 ? say('Hier ist keine Anlage in Betrieb.', 'No unit is in operation here.') : null
      }
      more={{ href: at('einheiten', statusFilters(region, 'In Betrieb', own)), name: say('Einheiten', 'Units') }}
      height={290}
    >
      {(answer) => <Chart label={title} options={(width) => chartOf(rowsOf(answer), width)} />}
    </Figure>
  );
}

const rowsOf = ({ data }: Aggregation): readonly Group[] =>
  data.groups.toSorted((a, b) => carrierRank(a.key ?? '') - carrierRank(b.key ?? ''));

const groupName = ({ key }: Group): string => carrierName(key ?? say('ohne Angabe', 'not stated'));

const chartOf = (groups: readonly Group[], width: number): Plot.PlotOptions => ({
  height: groups.length * Math.min(THICKEST_ROW, Math.max(THINNEST_ROW, HEIGHT / groups.length)) + 8,
  marginLeft: 124,
  marginRight: width < 420 ? 62 : width < 520 ? 110 : 172,
  marginTop: 4,
  marginBottom: 4,
  x: { axis: null },
  y: { label: null, tickSize: 0, domain: groups.map(groupName), padding: 0.3 },
  marks: [
    Plot.barX(groups, {
      x: 'bruttoleistungKw',
      y: groupName,
      fill: ({ key }: Group) => carrierColor(key ?? ''),
      rx: 2,
    }),
    Plot.text(groups, {
      x: 'bruttoleistungKw',
      y: groupName,
      text: (group: Group) =>
        width < 420
          ? power(group.bruttoleistungKw)
          : `${power(group.bruttoleistungKw)} · ${width < 520 ? count(group.count) : unitCount(group.count)}`,
      textAnchor: 'start',
      dx: 6,
      fill: 'var(--ink)',
    }),
    Plot.ruleX([0], { stroke: 'var(--line)' }),
  ],
});
