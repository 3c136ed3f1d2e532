import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { megawatts, NOTHING } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { accuracyName } from '../../tenders/accuracy.ts';
import { AWARDS_DATASET, inMegawatts } from '../../tenders/rounds.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { Award } from '../../v1/tender-answers.ts';

/** The awards of a date, in the order of their numbers. */
export function AwardsFigure({
  loaded,
  request,
  name,
}: {
  loaded: Loaded<readonly Award[]>;
  request: ApiRequest;
  name: string;
}) {
  const { at } = useNavigation();
  const title = say(`Zuschläge: ${name}`, `Awards: ${name}`);
  const all = columnsWith((number) => at(`einheiten/${number}`));
  // Lists until the spring of 2024 name no volumes.
  const columnsOf = (awards: readonly Award[]) =>
    awards.some(({ gebotsmengeKw }) => gebotsmengeKw !== null) ? all : all.filter(({ unit }) => unit === undefined);
  return (
    <Figure
      title={title}
      unit={say(
        'Je Zeile ein Zuschlag, wie er veröffentlicht ist, mit den zugeordneten Einheiten',
        'One award a row, as it is published, with the units that belong to it',
      )}
      loaded={loaded}
      requests={[request]}
      shows={say('die Zuschläge als Liste', 'the awards as a list')}
      dataset={AWARDS_DATASET}
      table={(awards) => tableOf(columnsOf(awards), awards)}
      empty={(awards) =>
        awards.length === 0
          ? say(
              'Hier sind keine Zuschläge geladen. Zu vielen Terminen gibt es nur die Statistik, ohne Liste.',
              'No awards are loaded here. Of many dates there are only the statistics, without a list.',
            )
          : null
      }
      note={say(
        'Ohne Einheit: Die Anlage ist noch nicht registriert, oder keine passte zweifelsfrei. * Ort aus dem Register ergänzt.',
        'Without a unit: it is not registered yet, or none fitted without doubt. * place added from the register.',
      )}
      plain
    >
      {(awards) => <RowTable columns={columnsOf(awards)} rows={awards} caption={title} idOf={({ id }) => String(id)} />}
    </Figure>
  );
}

const columnsWith = (hrefOf: (mastrNumber: string) => string): readonly RowColumn<Award>[] => [
  {
    name: say('Zuschlag', 'Award'),
    value: ({ zuschlagsnummer }) => zuschlagsnummer,
    show: ({ zuschlagsnummer }) => <bdi class="nowrap">{zuschlagsnummer ?? NOTHING}</bdi>,
  },
  {
    name: say('Menge', 'Volume'),
    unit: 'MW',
    numeric: true,
    value: ({ gebotsmengeKw }) => inMegawatts(gebotsmengeKw),
    show: ({ gebotsmengeKw }) => (gebotsmengeKw === null ? NOTHING : megawatts(gebotsmengeKw / 1000)),
  },
  { name: say('Bundesland', 'State'), value: ({ bundesland }) => bundesland },
  { name: say('Landkreis', 'District'), value: ({ landkreis }) => landkreis },
  {
    name: say('Gemeinde', 'Municipality'),
    value: ({ plz, gemeinde }) => [plz, gemeinde].filter((part) => part !== null).join(' ') || null,
    show: ({ plz, gemeinde, standortQuelle }) => (
      <>
        <bdi>{[plz, gemeinde].filter((part) => part !== null).join(' ') || NOTHING}</bdi>
        {standortQuelle === 'REGISTER' && ' *'}
      </>
    ),
  },
  {
    name: say('Flurstücke', 'Parcels'),
    value: ({ flurstueck }) => flurstueck,
    show: ({ flurstueck }) => <bdi class="clamped">{flurstueck ?? NOTHING}</bdi>,
  },
  {
    name: say('Einheiten', 'Units'),
    value: ({ mastrNummern }) => mastrNummern.join(', ') || null,
    show: ({ mastrNummern }) => <Units numbers={mastrNummern} hrefOf={hrefOf} />,
  },
  { name: say('Ort', 'Place'), value: ({ geoGenauigkeit }) => accuracyName(geoGenauigkeit) },
];

/** Links that a cell shows at once: a wind farm has dozens of units. */
const MOST_LINKS = 4;

function Units({ numbers, hrefOf }: { numbers: readonly string[]; hrefOf: (mastrNumber: string) => string }) {
  if (numbers.length === 0) return NOTHING;
  const links = (some: readonly string[]) =>
    some.map((number) => (
      <a key={number} href={hrefOf(number)}>
        {number}
      </a>
    ));
  return (
    <div class="links">
      {links(numbers.slice(0, MOST_LINKS))}
      {numbers.length > MOST_LINKS && (
        <details>
          <summary>
            {numbers.length - MOST_LINKS}
            {say(' weitere', ' more')}
          </summary>
          <div class="links">{links(numbers.slice(MOST_LINKS))}</div>
        </details>
      )}
    </div>
  );
}
