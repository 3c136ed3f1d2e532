import * as Plot from '@observablehq/plot';
import { useNavigation } from '../address/address.ts';
import { carrierName } from '../charts/carriers.ts';
import { Chart } from '../charts/chart.tsx';
import { say } from '../format/language.ts';
import { count, megawatts, share } from '../format/numbers.ts';
import { Figure } from '../frame/figure.tsx';
import type { Place } from '../regions/place.ts';
import { placeChoices } from '../regions/region.ts';
import type { AgeStructure } from '../v1/answers.ts';
import { shown } from '../v1/loaded.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { type AgePart, agePartsOf, type Cohort, cohortsOf } from './cohorts.ts';
import { ageRequest } from './requests.ts';

/** Rows share this height as long as none becomes too thin or too thick (px). */
const HEIGHT = 280;
const THINNEST_ROW = 34;
const THICKEST_ROW = 56;

/** Shows how old the capacity in operation is, carrier by carrier. */
export function Age({ place: { region, name, own = false } }: { place: Place }) {
  const { at } = useNavigation();
  const request = ageRequest(region, own);
  const loaded = useAnswer<AgeStructure>(request);
  const answer = shown(loaded);
  const cohorts = answer === null ? [] : cohortsOf(answer);
  const title = say(`Alter der Anlagen in Betrieb: ${name}`, `Age of the units in operation: ${name}`);
  return (
    <Figure
      title={title}
      unit={say(
        'Anteil an der Leistung je Energieträger; rechts, was 20 Jahre und älter ist',
        'Share of the power of each carrier; at the right, what is 20 years and older',
      )}
      loaded={loaded}
      requests={[request]}
      shows={say('das Alter der Anlagen in Betrieb', 'the age of the units in operation')}
      table={(found) => ({
        columns: [
          { name: say('Energieträger', 'Carrier') },
          { name: say('Alter', 'Age') },
          { name: say('Leistung', 'Power'), unit: 'MW', numeric: true, digits: 3 },
          { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
          { name: say('Anteil an der Leistung', 'Share of the power'), unit: '%', numeric: true },
        ],
        rows: agePartsOf(found).map((part) => [
          carrierName(part.carrier),
          cohortsOf(found).find(({ id }) => id === part.cohort)?.name ?? part.cohort,
          part.mw,
          part.units,
          part.share * 100,
        ]),
      })}
      empty={({ data }) =>
        data.length === 0
          ? say(
              'Hier ist keine Anlage mit Inbetriebnahmedatum in Betrieb.',
              'No unit with a day of commissioning is in operation here.',
            )
          : null
      }
      legend={{ entries: cohorts.map((cohort) => ({ ...cohort, on: true })) }}
      more={{
        href: at('altersstruktur', placeChoices(region, own)),
        name: say('Altersstruktur', 'Age structure'),
      }}
      height={290}
    >
      {(found) => <Chart label={title} options={() => chartOf(agePartsOf(found), cohortsOf(found))} />}
    </Figure>
  );
}

function chartOf(parts: readonly AgePart[], cohorts: readonly Cohort[]): Plot.PlotOptions {
  const carriers = [...new Set(parts.map(({ carrier }) => carrier))];
  const [young] = cohorts;
  const old = carriers.map((carrier) => ({
    carrier,
    share: parts
      .filter((part) => part.carrier === carrier && part.cohort !== young?.id)
      .reduce((sum, part) => sum + part.share, 0),
  }));
  return {
    height: carriers.length * Math.min(THICKEST_ROW, Math.max(THINNEST_ROW, HEIGHT / carriers.length)) + 8,
    marginLeft: 92,
    marginRight: 58,
    marginTop: 4,
    marginBottom: 4,
    x: { axis: null, domain: [0, 1] },
    y: { label: null, tickSize: 0, domain: carriers, padding: 0.3, tickFormat: carrierName },
    marks: [
      Plot.barX(parts, {
        x: 'share',
        y: 'carrier',
        fill: ({ cohort }: AgePart) => cohorts.find(({ id }) => id === cohort)?.color,
        order: ({ cohort }: AgePart) => cohorts.findIndex(({ id }) => id === cohort),
        insetRight: 1,
        title: ({ carrier, cohort, mw, units }: AgePart) =>
          say(
            `${carrierName(carrier)}, ${cohorts.find(({ id }) => id === cohort)?.name}: ${megawatts(mw)}\u202fMW, ${count(units)} Einheiten`,
            `${carrierName(carrier)}, ${cohorts.find(({ id }) => id === cohort)?.name}: ${megawatts(mw)}\u202fMW, ${count(units)} units`,
          ),
      }),
      Plot.text(old, {
        x: 1,
        y: 'carrier',
        text: (row: (typeof old)[number]) => share(row.share),
        textAnchor: 'start',
        dx: 6,
        fill: 'var(--ink)',
      }),
    ],
  };
}
