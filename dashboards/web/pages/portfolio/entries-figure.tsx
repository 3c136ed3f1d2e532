import { useNavigation } from '../../address/address.ts';
import { kindName } from '../../charts/carriers.ts';
import { day } from '../../format/dates.ts';
import { count, NOTHING } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { type Picking, type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { roleName } from '../../units/roles.ts';
import type { Gathered } from '../../v1/all-pages.ts';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { PortfolioEntry } from '../../v1/organisation-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { OWN_SELECTION } from './summary-figures.tsx';
import type { PortfolioUnit } from './use-portfolio.ts';

/** Rows of a page of the table. */
export const ROWS_PER_PAGE = 100;

type Units = ReadonlyMap<string, PortfolioUnit>;

/** @param page first is 1 */
export function EntriesFigure({
  loaded,
  units,
  requests,
  page,
  onPage,
  picking,
  withRemoved,
}: {
  loaded: Loaded<Gathered<PortfolioEntry>>;
  units: Loaded<Units>;
  requests: readonly ApiRequest[];
  page: number;
  onPage: (page: number) => void;
  picking: Picking | null;
  withRemoved: boolean;
}) {
  const { at } = useNavigation();
  const columns = columnsOf(shown(units), withRemoved, (number) => at(`einheiten/${number}`));
  const title = 'Einheiten im Portfolio';
  return (
    <Figure
      title={title}
      unit="Je Zeile ein Eintrag, der neueste zuerst"
      loaded={loaded}
      requests={requests}
      shows="die Anlagen der Organisation"
      attribution={OWN_SELECTION}
      table={({ rows }) => tableOf(columns, rows)}
      empty={({ rows }) => (rows.length === 0 ? 'Hier ist noch kein Eintrag.' : null)}
      plain
    >
      {({ rows }) => (
        <>
          <RowTable
            columns={columns}
            rows={rows.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE)}
            caption={title}
            idOf={({ mastrNummer }) => mastrNummer}
            isFaint={({ entferntAm }) => entferntAm !== null}
            {...(picking === null ? {} : { picking })}
          />
          <Pager rows={rows.length} page={page} onPage={onPage} />
        </>
      )}
    </Figure>
  );
}

function Pager({ rows, page, onPage }: { rows: number; page: number; onPage: (page: number) => void }) {
  const pages = Math.ceil(rows / ROWS_PER_PAGE);
  if (pages < 2) return null;
  const first = (page - 1) * ROWS_PER_PAGE + 1;
  return (
    <nav class="actions pager" aria-label="Seiten der Tabelle">
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Zurück
      </button>
      <span>
        {count(first)} bis {count(Math.min(rows, page * ROWS_PER_PAGE))} von {count(rows)}
      </span>
      <button type="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Weiter
      </button>
    </nav>
  );
}

/** @param units null = nothing is known of them, and their columns are left out */
function columnsOf(
  units: Units | null,
  withRemoved: boolean,
  hrefOf: (mastrNumber: string) => string,
): readonly RowColumn<PortfolioEntry>[] {
  const of = ({ mastrNummer }: PortfolioEntry) => units?.get(mastrNummer);
  const ofUnits: readonly RowColumn<PortfolioEntry>[] = [
    {
      name: 'Name',
      value: (entry) => of(entry)?.name ?? null,
      show: (entry) => <bdi class="clamped">{of(entry)?.name ?? NOTHING}</bdi>,
    },
    {
      name: 'Energieträger',
      value: (entry) => {
        const unit = of(entry);
        return unit === undefined ? null : kindName(unit.einheitTyp, unit.energietraeger);
      },
    },
    {
      name: 'Leistung',
      unit: 'kW',
      numeric: true,
      value: (entry) => of(entry)?.bruttoleistungKw ?? null,
    },
    { name: 'Status', value: (entry) => of(entry)?.betriebsStatus ?? null },
    {
      name: 'Ort',
      value: (entry) => [of(entry)?.ort, of(entry)?.bundesland].filter((part) => part != null).join(', ') || null,
    },
  ];
  return [
    {
      name: 'Einheit',
      value: ({ mastrNummer }) => mastrNummer,
      show: ({ mastrNummer }) => (
        <a class="nowrap" href={hrefOf(mastrNummer)}>
          {mastrNummer}
        </a>
      ),
    },
    ...(units === null ? [] : ofUnits),
    { name: 'Rolle', value: ({ relationType }) => roleName(relationType) },
    {
      name: 'Eigene Kennungen',
      value: ({ externalRefs }) => refsText(externalRefs),
      show: ({ externalRefs }) => <bdi class="clamped">{refsText(externalRefs) ?? NOTHING}</bdi>,
    },
    {
      name: 'Seit',
      value: ({ angelegtAm }) => day(angelegtAm),
      show: ({ angelegtAm }) => <span class="nowrap">{day(angelegtAm)}</span>,
    },
    ...(withRemoved
      ? [
          {
            name: 'Entfernt',
            value: ({ entferntAm }: PortfolioEntry) => (entferntAm === null ? null : day(entferntAm)),
          },
        ]
      : []),
  ];
}

const refsText = (references: PortfolioEntry['externalRefs']): string | null =>
  Object.entries(references)
    .map(([system, id]) => `${system}: ${id}`)
    .join('; ') || null;
