import { useNavigation } from '../../address/address.ts';
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
  const title = `Zuschläge: ${name}`;
  const all = columnsWith((number) => at(`einheiten/${number}`));
  // Lists until the spring of 2024 name no volumes.
  const columnsOf = (awards: readonly Award[]) =>
    awards.some(({ gebotsmengeKw }) => gebotsmengeKw !== null) ? all : all.filter(({ unit }) => unit === undefined);
  return (
    <Figure
      title={title}
      unit="Je Zeile ein Zuschlag, wie er veröffentlicht ist, mit den zugeordneten Einheiten"
      loaded={loaded}
      requests={[request]}
      shows="die Zuschläge als Liste"
      dataset={AWARDS_DATASET}
      table={(awards) => tableOf(columnsOf(awards), awards)}
      empty={(awards) =>
        awards.length === 0
          ? 'Hier sind keine Zuschläge geladen. Zu vielen Terminen gibt es nur die Statistik, ohne Liste.'
          : null
      }
      note="Ohne Einheit: Die Anlage ist noch nicht registriert, oder keine passte zweifelsfrei. * Ort aus dem Register ergänzt."
      plain
    >
      {(awards) => <RowTable columns={columnsOf(awards)} rows={awards} caption={title} idOf={({ id }) => String(id)} />}
    </Figure>
  );
}

const columnsWith = (hrefOf: (mastrNumber: string) => string): readonly RowColumn<Award>[] => [
  {
    name: 'Zuschlag',
    value: ({ zuschlagsnummer }) => zuschlagsnummer,
    show: ({ zuschlagsnummer }) => <bdi class="nowrap">{zuschlagsnummer ?? NOTHING}</bdi>,
  },
  {
    name: 'Menge',
    unit: 'MW',
    numeric: true,
    value: ({ gebotsmengeKw }) => inMegawatts(gebotsmengeKw),
    show: ({ gebotsmengeKw }) => (gebotsmengeKw === null ? NOTHING : megawatts(gebotsmengeKw / 1000)),
  },
  { name: 'Bundesland', value: ({ bundesland }) => bundesland },
  { name: 'Landkreis', value: ({ landkreis }) => landkreis },
  {
    name: 'Gemeinde',
    value: ({ plz, gemeinde }) => [plz, gemeinde].filter((part) => part !== null).join(' ') || null,
    show: ({ plz, gemeinde, standortQuelle }) => (
      <>
        <bdi>{[plz, gemeinde].filter((part) => part !== null).join(' ') || NOTHING}</bdi>
        {standortQuelle === 'REGISTER' && ' *'}
      </>
    ),
  },
  {
    name: 'Flurstücke',
    value: ({ flurstueck }) => flurstueck,
    show: ({ flurstueck }) => <bdi class="clamped">{flurstueck ?? NOTHING}</bdi>,
  },
  {
    name: 'Einheiten',
    value: ({ mastrNummern }) => mastrNummern.join(', ') || null,
    show: ({ mastrNummern }) => <Units numbers={mastrNummern} hrefOf={hrefOf} />,
  },
  { name: 'Ort', value: ({ geoGenauigkeit }) => accuracyName(geoGenauigkeit) },
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
          <summary>{numbers.length - MOST_LINKS} weitere</summary>
          <div class="links">{links(numbers.slice(MOST_LINKS))}</div>
        </details>
      )}
    </div>
  );
}
