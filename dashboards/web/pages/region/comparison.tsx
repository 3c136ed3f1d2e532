import { CARRIERS, carrierColor, carrierInk, carrierName } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { cohortsOf } from '../../figures/cohorts.ts';
import { monthsOf, rangeName, type Span } from '../../figures/months.ts';
import type { Place } from '../../figures/place.ts';
import { ageRequest, seriesRequest, stockRequest } from '../../figures/requests.ts';
import { Figure } from '../../frame/figure.tsx';
import { Waiting } from '../../frame/state.tsx';
import type { Table } from '../../frame/table.ts';
import { TableView } from '../../frame/table-view.tsx';
import type { Loaded } from '../../v1/loaded.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import {
  ageShares,
  type Compared,
  carrierShares,
  growthPoints,
  keyTable,
  placeColor,
  type SharePart,
} from './compared.ts';
import { growthLines } from './growth-lines.tsx';
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
  const waiting = places.filter((_, index) => loads[index]?.state === 'loading');
  const failed = loads.find((load) => load.state === 'failed');
  const loaded = partsOf(compared, loads);
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
    <section class="comparison" aria-label="Vergleich">
      {compared.length > 0 && waiting.length > 0 && <Pending places={waiting} loads={loads} ready={compared.length} />}
      {compared.length > 0 && failed?.state === 'failed' && (
        <p class="note" role="alert">
          Nicht alle Orte konnten geladen werden: {sentenceOf(failed.problem)}{' '}
          <button type="button" onClick={failed.retry}>
            Erneut versuchen
          </button>
        </p>
      )}
      <div class="tiles">
        <div class="wide">
          <Figure
            {...shared}
            title={`Kennzahlen im Vergleich: ${names}`}
            unit="Leistung brutto; je Bestand = je Leistung in Betrieb"
            requests={span === null ? [] : regions.flatMap((region) => profileRequests(region, span).slice(0, 3))}
            shows="die Kennzahlen der Orte nebeneinander"
            table={(value) => (span === null ? NO_TABLE : keyTable(value, span))}
            height={200}
            plain
          >
            {(value) => span !== null && <TableView table={keyTable(value, span)} caption="Kennzahlen im Vergleich" />}
          </Figure>
        </div>
        <div class="wide">
          <Figure
            {...shared}
            title={`Zubau im Verhältnis zum Bestand: ${names}`}
            unit={`Kumulierter Zubau ${months.length === 0 ? '' : rangeName(months)} in % der Leistung, die heute in Betrieb ist`}
            requests={
              span === null ? [] : regions.flatMap((region) => [seriesRequest(region, span), stockRequest(region)])
            }
            shows="den Zubau der Orte auf einer Achse"
            table={(value) => (span === null ? NO_TABLE : growthTable(value, span))}
            height={300}
            legend={{ entries: compared.map(({ name, color }) => ({ id: name, name, color, on: true })) }}
          >
            {(value) =>
              span !== null && (
                <Chart
                  label={`Linien je Ort: ${names}`}
                  options={(width) => growthLines(growthPoints(value, span), value, months, width)}
                />
              )
            }
          </Figure>
        </div>
        <Figure
          {...shared}
          title={`Mischung der Energieträger: ${names}`}
          unit="Anteil an der Leistung in Betrieb"
          requests={regions.map(stockRequest)}
          shows="die Mischung der Energieträger"
          table={(value) => shareTable(carrierShares(value), carriers, 'Energieträger')}
          height={places.length * 50}
          legend={{
            entries: carriers
              .filter(({ id }) => carrierShares(compared).some(({ part }) => part === id))
              .map((part) => ({ ...part, on: true })),
          }}
        >
          {(value) => (
            <Chart
              label={`Balken je Ort: ${names}`}
              options={(width) => shareBars(carrierShares(value), carriers, width)}
            />
          )}
        </Figure>
        <Figure
          {...shared}
          title={`Alter der Anlagen: ${names}`}
          unit="Anteil an der Leistung in Betrieb, alle Energieträger"
          requests={regions.map(ageRequest)}
          shows="das Alter der Anlagen"
          table={(value) => shareTable(ageShares(value), cohorts, 'Alter')}
          height={places.length * 50}
          legend={{ entries: cohorts.map((cohort) => ({ ...cohort, on: true })) }}
        >
          {(value) => (
            <Chart label={`Balken je Ort: ${names}`} options={(width) => shareBars(ageShares(value), cohorts, width)} />
          )}
        </Figure>
      </div>
    </section>
  );
}

const NO_TABLE: Table = { columns: [], rows: [] };

/** What is there is shown; places that are still loading follow. */
function partsOf(compared: readonly Compared[], loads: readonly Loaded<unknown>[]): Loaded<readonly Compared[]> {
  if (compared.length > 0) return { state: 'ready', value: compared };
  const failed = loads.find((load) => load.state === 'failed');
  if (failed?.state === 'failed') return failed;
  const waiting = loads.find((load) => load.state === 'loading' && load.waitingUntil !== null);
  const waitingUntil = waiting?.state === 'loading' ? waiting.waitingUntil : null;
  return { state: 'loading', previous: null, progress: null, waitingUntil };
}

/** Says which places are still missing, and when it goes on. */
function Pending({
  places,
  loads,
  ready,
}: {
  places: readonly Place[];
  loads: readonly Loaded<unknown>[];
  ready: number;
}) {
  const waits = loads.flatMap((load) =>
    load.state === 'loading' && load.waitingUntil !== null ? [load.waitingUntil] : [],
  );
  return (
    <div class="pending">
      <p>Es fehlen noch: {places.map(({ name }) => name).join(', ')}</p>
      <Waiting
        loaded={{
          state: 'loading',
          previous: null,
          progress: { done: ready, of: loads.length },
          waitingUntil: waits.length === 0 ? null : Math.max(...waits),
        }}
        height={0}
      />
    </div>
  );
}

const growthTable = (places: readonly Compared[], span: Span): Table => ({
  columns: [
    { name: 'Ort' },
    { name: 'Monat' },
    { name: 'Zubau kumuliert', unit: 'MW', numeric: true },
    { name: 'je Bestand', unit: '%', numeric: true, digits: 2 },
  ],
  rows: growthPoints(places, span).map(({ place, month, mw, percent }) => [place, month, mw, percent]),
});

const shareTable = (rows: readonly SharePart[], parts: readonly Part[], name: string): Table => ({
  columns: [
    { name: 'Ort' },
    { name },
    { name: 'Leistung', unit: 'MW', numeric: true },
    { name: 'Anteil', unit: '%', numeric: true },
  ],
  rows: rows.map(({ place, part, mw, share }) => [
    place,
    parts.find(({ id }) => id === part)?.name ?? part,
    mw,
    share * 100,
  ]),
});
