import { type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import { decimal, plural } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import { Figure } from '../../frame/figure.tsx';
import type { Table } from '../../frame/table.ts';
import { type RegionOrCountry, unitQuery } from '../../regions/region.ts';
import type { Aggregation } from '../../v1/answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useLoadInParts } from '../../v1/use-answer.ts';
import { agesOf, pyramidOf, type YearGroups, type YearRow, yearName } from './pyramid.ts';
import { PyramidChart } from './pyramid-chart.tsx';

interface PyramidFigureProps {
  readonly place: RegionOrCountry;
  /** True: only units of the own portfolio. */
  readonly own: boolean;
  /** Name of the region. */
  readonly name: string;
  /** Carriers that are shown; null = all that there are. */
  readonly carriers: readonly Carrier[] | null;
  /** Carriers that the region has; null = not known yet. */
  readonly present: readonly Carrier[] | null;
  /** True: each carrier in its colour, which takes a request for each. */
  readonly isByCarrier: boolean;
  /** Day on which ages are counted, YYYY-MM-DD. */
  readonly today: string;
  onToggle(carrier: Carrier): void;
}

/** Units and capacity in operation by year of commissioning. */
export function PyramidFigure({
  place,
  own,
  name,
  carriers,
  present,
  isByCarrier,
  today,
  onToggle,
}: PyramidFigureProps) {
  const shown = present?.filter((id) => carriers?.includes(id) ?? true) ?? null;
  // Carriers that the region does not have are not asked for; until that is known, nothing is asked.
  const questions = isByCarrier
    ? (shown?.map((carrier) => ({ carrier, request: yearsRequest(place, own, [carrier]) })) ?? null)
    : [{ carrier: null, request: yearsRequest(place, own, carriers ?? []) }];
  const loaded = useLoadInParts<readonly YearGroups[]>(
    questions === null ? null : JSON.stringify(questions),
    async ({ ask, progress, part }) => {
      const answers: YearGroups[] = [];
      for (const { carrier, request } of questions ?? []) {
        const { data } = await ask<Aggregation>(request);
        answers.push({ carrier, groups: data.groups });
        if (answers.length === questions?.length) break;
        part([...answers]);
        progress({ done: answers.length, of: questions?.length ?? null });
      }
      return answers;
    },
  );
  const pyramid = (answers: readonly YearGroups[]) => pyramidOf(answers, today);
  const without = (answers: readonly YearGroups[]): number => pyramid(answers).withoutYear;
  return (
    <Figure
      title={`Inbetriebnahmejahre der Anlagen in Betrieb: ${name}`}
      unit={`Leistung links, Anzahl rechts, nach Jahr der Inbetriebnahme${carriers === null ? '' : `; ${carriers.map(carrierName).join(', ')}`}`}
      loaded={loaded}
      requests={questions?.map(({ request }) => request) ?? []}
      shows="die Alterspyramide nach Inbetriebnahmejahr"
      table={(answers) => pyramidTable(pyramid(answers).rows)}
      empty={(answers) =>
        pyramid(answers).rows.length === 0 ? 'Hier sind keine Anlagen mit Inbetriebnahmedatum in Betrieb.' : null
      }
      {...(isByCarrier && present !== null && shown !== null
        ? {
            legend: {
              entries: present.map((id) => ({
                id,
                name: carrierName(id),
                color: carrierColor(id),
                on: shown.includes(id),
              })),
              onToggle: (id: string) => onToggle(id as Carrier),
            },
          }
        : {})}
      height={700}
    >
      {(answers) => (
        <>
          <AgeFigures pyramid={pyramid(answers)} today={today} />
          <PyramidChart
            pyramid={pyramid(answers)}
            today={today}
            label={`Alterspyramide nach Inbetriebnahmejahr: ${name}`}
          />
          <p class="note">
            Alter nach Kalenderjahren. Die Linien liegen 20 und 25 Jahre vor heute.
            {without(answers) > 0 &&
              ` ${plural(without(answers), 'Einheit', 'Einheiten')} ohne Inbetriebnahmedatum fehlen.`}
          </p>
        </>
      )}
    </Figure>
  );
}

/** @param carriers empty = all */
const yearsRequest = (place: RegionOrCountry, own: boolean, carriers: readonly Carrier[]): ApiRequest => ({
  path: '/v1/aggregations',
  query: {
    groupBy: 'inbetriebnahmejahr',
    betriebsStatus: 'In Betrieb',
    einheitTyp: carriers,
    ...unitQuery(place, own),
  },
});

function AgeFigures({ pyramid, today }: { pyramid: ReturnType<typeof pyramidOf>; today: string }) {
  const ages = agesOf(pyramid, today);
  if (ages === null) return null;
  const years = (value: number): string => `${decimal(value)}\u202fJahre`;
  return (
    <Facts
      facts={[
        { name: 'Alter im Mittel', value: years(ages.mean), more: 'jede Einheit zählt gleich' },
        {
          name: 'Alter im Mittel',
          value: ages.meanOfCapacity === null ? '–' : years(ages.meanOfCapacity),
          more: 'nach Leistung gewichtet',
        },
        { name: 'Median', value: years(ages.median), more: 'die Hälfte ist so alt oder älter' },
      ]}
    />
  );
}

function pyramidTable(rows: readonly YearRow[]): Table {
  const isByCarrier = rows.some(({ parts }) => parts.some(({ carrier }) => carrier !== null));
  return {
    columns: [
      { name: 'Jahr' },
      ...(isByCarrier ? [{ name: 'Energieträger' }] : []),
      { name: 'Einheiten', numeric: true, digits: 0 },
      { name: 'Leistung', unit: 'MW', numeric: true, digits: 3 },
    ],
    rows: rows.flatMap(({ year, parts }) =>
      parts.map(({ carrier, count, mw }) => [
        yearName(year),
        ...(isByCarrier ? [carrier === null ? '' : carrierName(carrier)] : []),
        count,
        mw,
      ]),
    ),
  };
}
