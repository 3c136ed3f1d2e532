import { type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { decimal, unitCount } from '../../format/numbers.ts';
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
      title={say(
        `Inbetriebnahmejahre der Anlagen in Betrieb: ${name}`,
        `Years of commissioning of the units in operation: ${name}`,
      )}
      unit={say(
        `Leistung links, Anzahl rechts, nach Jahr der Inbetriebnahme${carriers === null ? '' : `; ${carriers.map(carrierName).join(', ')}`}`,
        `Power at the left, number at the right, by year of commissioning${carriers === null ? '' : `; ${carriers.map(carrierName).join(', ')}`}`,
      )}
      loaded={loaded}
      requests={questions?.map(({ request }) => request) ?? []}
      shows={say('die Alterspyramide nach Inbetriebnahmejahr', 'the age pyramid by year of commissioning')}
      table={(answers) => pyramidTable(pyramid(answers).rows)}
      empty={(answers) =>
        pyramid(answers).rows.length === 0
          ? say(
              'Hier sind keine Anlagen mit Inbetriebnahmedatum in Betrieb.',
              'No units with a day of commissioning are in operation here.',
            )
          : null
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
            label={say(
              `Alterspyramide nach Inbetriebnahmejahr: ${name}`,
              `Age pyramid by year of commissioning: ${name}`,
            )}
          />
          <p class="note">
            {say(
              'Alter nach Kalenderjahren. Die Linien liegen 20 und 25 Jahre vor heute.',
              'Age by calendar years. The lines lie 20 and 25 years before today.',
            )}
            {without(answers) > 0 &&
              say(
                ` ${unitCount(without(answers))} ohne Inbetriebnahmedatum fehlen.`,
                ` ${unitCount(without(answers))} without a day of commissioning are missing.`,
              )}
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
  const years = (value: number): string => say(`${decimal(value)}\u202fJahre`, `${decimal(value)}\u202fyears`);
  return (
    <Facts
      facts={[
        {
          name: say('Alter im Mittel', 'Mean age'),
          value: years(ages.mean),
          more: say('jede Einheit zählt gleich', 'each unit counts alike'),
        },
        {
          name: say('Alter im Mittel', 'Mean age'),
          value: ages.meanOfCapacity === null ? '–' : years(ages.meanOfCapacity),
          more: say('nach Leistung gewichtet', 'weighted by power'),
        },
        {
          name: 'Median',
          value: years(ages.median),
          more: say('die Hälfte ist so alt oder älter', 'half are as old or older'),
        },
      ]}
    />
  );
}

function pyramidTable(rows: readonly YearRow[]): Table {
  const isByCarrier = rows.some(({ parts }) => parts.some(({ carrier }) => carrier !== null));
  return {
    columns: [
      { name: say('Jahr', 'Year'), isPeriod: true },
      ...(isByCarrier ? [{ name: say('Energieträger', 'Carrier') }] : []),
      { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
      { name: say('Leistung', 'Power'), unit: 'MW', numeric: true, digits: 3 },
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
