import { CARRIERS, carrierColor, carrierInk, carrierName } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { PeriodChart } from '../../charts/period-chart.tsx';
import { cohortsOf } from '../../figures/cohorts.ts';
import { monthsOf, rangeName, type Span } from '../../figures/months.ts';
import { ageRequest, seriesRequest, stockRequest } from '../../figures/requests.ts';
import { say } from '../../format/language.ts';
import { significant } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import type { Table } from '../../frame/table.ts';
import { TableView } from '../../frame/table-view.tsx';
import { periodOfDay } from '../../periods/periods.ts';
import { placeColor } from '../../regions/compared-places.tsx';
import { loadedPart, MissingPlaces } from '../../regions/each-place.tsx';
import type { Place } from '../../regions/place.ts';
import { ageShares, type Compared, carrierShares, growthOf, keyTable, type SharePart } from './compared.ts';
import { profileRequests, useProfiles } from './profiles.ts';
import { type Part, shareBars } from './share-bars.ts';

/** Places side by side: what differs in size by shares and rates, over common axes. */
export function Comparison({ places, span }: { places: readonly Place[]; span: Span | null }) {
  const loads = useProfiles(
    places.map(({ region }) => region),
    span,
  );
  const compared = places.flatMap((place, index): Compared[] => {
    const load = loads[index];
    const isCountry = place.region === null;
    return load?.state === 'ready'
      ? [{ ...place, isCountry, color: placeColor(index, isCountry), profile: load.value }]
      : [];
  });
  const loaded = loadedPart(compared, loads);
  // A title names what is seen: while places are missing, those that are there.
  const names = (compared.length > 0 ? compared : places).map(({ name }) => name).join(', ');
  const regions = places.map(({ region }) => region);
  const shared = { loaded, empty: () => null };
  const months = span === null ? [] : monthsOf(span);
  const cohorts = compared[0] === undefined ? [] : cohortsOf(compared[0].profile.age);
  const carriers: readonly Part[] = CARRIERS.map((id) => ({
    id,
    name: carrierName(id),
    color: carrierColor(id),
    ink: carrierInk(id),
  }));
  return (
    <section class="comparison" aria-label={say('Vergleich', 'Comparison')}>
      <MissingPlaces names={places.map(({ name }) => name)} loads={loads} />
      <div class="tiles">
        <div class="wide">
          <Figure
            {...shared}
            title={say(`Kennzahlen im Vergleich: ${names}`, `Key figures compared: ${names}`)}
            unit={say(
              'Leistung brutto; je Bestand = je Leistung in Betrieb',
              'Gross power; by stock = by power in operation',
            )}
            requests={span === null ? [] : regions.flatMap((region) => profileRequests(region, span).slice(0, 3))}
            shows={say('die Kennzahlen der Orte nebeneinander', 'the key figures of the places side by side')}
            table={(value) => (span === null ? NO_TABLE : keyTable(value, span))}
            height={200}
            plain
          >
            {(value) =>
              span !== null && (
                <TableView
                  table={keyTable(value, span)}
                  caption={say('Kennzahlen im Vergleich', 'Key figures compared')}
                />
              )
            }
          </Figure>
        </div>
        <div class="wide">
          <Figure
            {...shared}
            title={say(`Zubau im Verhältnis zum Bestand: ${names}`, `Additions against the stock: ${names}`)}
            unit={say(
              `Kumulierter Zubau ${months.length === 0 ? '' : rangeName(months)} in % der Leistung, die heute in Betrieb ist`,
              `Cumulated additions ${months.length === 0 ? '' : rangeName(months)} in % of the power that is in operation today`,
            )}
            requests={
              span === null ? [] : regions.flatMap((region) => [seriesRequest(region, span), stockRequest(region)])
            }
            shows={say('den Zubau der Orte auf einer Achse', 'the additions of the places on one axis')}
            table={(value) => (span === null ? NO_TABLE : growthTable(value, span))}
            height={300}
            legend={{ entries: compared.map(({ name, color }) => ({ id: name, name, color, on: true })) }}
          >
            {(value) =>
              span !== null && (
                <PeriodChart
                  form="linien"
                  kind="monat"
                  range={{ first: periodOfDay('monat', span.from), last: periodOfDay('monat', span.to) }}
                  series={value.map((one, index) => ({
                    ...{ id: one.name, name: one.name, color: one.color, values: growthOf(one, span).percent },
                    ...{ isDashed: one.isCountry, isStrong: index === 0 },
                  }))}
                  unit="%"
                  write={significant}
                  height={300}
                  label={say(`Linien je Ort: ${names}`, `Lines by place: ${names}`)}
                />
              )
            }
          </Figure>
        </div>
        <Figure
          {...shared}
          title={say(`Mischung der Energieträger: ${names}`, `Mix of carriers: ${names}`)}
          unit={say('Anteil an der Leistung in Betrieb', 'Share of the power in operation')}
          requests={regions.map((region) => stockRequest(region))}
          shows={say('die Mischung der Energieträger', 'the mix of carriers')}
          table={(value) => shareTable(carrierShares(value), carriers, say('Energieträger', 'Carrier'))}
          height={places.length * 50}
          legend={{
            entries: carriers
              .filter(({ id }) => carrierShares(compared).some(({ part }) => part === id))
              .map((part) => ({ ...part, on: true })),
          }}
        >
          {(value) => (
            <Chart
              label={say(`Balken je Ort: ${names}`, `Bars by place: ${names}`)}
              options={(width) => shareBars(carrierShares(value), carriers, width)}
            />
          )}
        </Figure>
        <Figure
          {...shared}
          title={say(`Alter der Anlagen: ${names}`, `Age of the units: ${names}`)}
          unit={say(
            'Anteil an der Leistung in Betrieb, alle Energieträger',
            'Share of the power in operation, all carriers',
          )}
          requests={regions.map((region) => ageRequest(region))}
          shows={say('das Alter der Anlagen', 'the age of the units')}
          table={(value) => shareTable(ageShares(value), cohorts, say('Alter', 'Age'))}
          height={places.length * 50}
          legend={{ entries: cohorts.map((cohort) => ({ ...cohort, on: true })) }}
        >
          {(value) => (
            <Chart
              label={say(`Balken je Ort: ${names}`, `Bars by place: ${names}`)}
              options={(width) => shareBars(ageShares(value), cohorts, width)}
            />
          )}
        </Figure>
      </div>
    </section>
  );
}

const NO_TABLE: Table = { columns: [], rows: [] };

const growthTable = (places: readonly Compared[], span: Span): Table => ({
  columns: [
    { name: say('Ort', 'Place') },
    { name: say('Monat', 'Month'), isPeriod: true },
    { name: say('Zubau kumuliert', 'Added, cumulated'), unit: 'MW', numeric: true },
    { name: say('je Bestand', 'by stock'), unit: '%', numeric: true, digits: 2 },
  ],
  rows: places.flatMap((place) => {
    const { mw, percent } = growthOf(place, span);
    return monthsOf(span).map((month, at) => [place.name, month, mw[at] ?? null, percent[at] ?? null]);
  }),
});

const shareTable = (rows: readonly SharePart[], parts: readonly Part[], name: string): Table => ({
  columns: [
    { name: say('Ort', 'Place') },
    { name },
    { name: say('Leistung', 'Power'), unit: 'MW', numeric: true },
    { name: say('Anteil', 'Share'), unit: '%', numeric: true },
  ],
  rows: rows.map(({ place, part, mw, share }) => [
    place,
    parts.find(({ id }) => id === part)?.name ?? part,
    mw,
    share * 100,
  ]),
});
