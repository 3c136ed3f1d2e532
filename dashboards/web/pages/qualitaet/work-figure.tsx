import { useNavigation } from '../../address/address.ts';
import { Severity, severityName } from '../../figures/severities.tsx';
import { say } from '../../format/language.ts';
import { decimal, NOTHING, unitCount } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable } from '../../frame/row-table.tsx';
import type { Catalogue } from '../../units/catalogue.ts';
import { ListDownload } from '../../units/list-download.tsx';
import { Paging } from '../../units/paging.tsx';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { UnitFields, UnitRows } from '../../v1/unit-answers.ts';
import { type Entry, entriesOf, placeOf, reasonOf, textOrNull, workTable } from './entries.ts';
import { UNITS_OF_A_PAGE } from './work-list.ts';

/** Lists what there is to look at, unit by unit, and offers it as a file for those who correct the entries. */
export function WorkFigure({
  loaded,
  request,
  title,
  rule,
  ruleNames,
  catalogue,
  place,
}: {
  loaded: Loaded<UnitRows>;
  /** For all units of the list; null = nothing is known of them yet. */
  request: ApiRequest | null;
  title: string;
  /** Id of the only rule; '' = all. */
  rule: string;
  ruleNames: ReadonlyMap<string, string>;
  catalogue: Catalogue | null;
  place: Parameters<typeof Paging>[0]['list'];
}) {
  const { at } = useNavigation();
  const list = shown(loaded);
  const total = list?.meta.page.total ?? 0;
  const entries = (units: readonly UnitFields[]) => (catalogue === null ? [] : entriesOf(units, rule, catalogue));
  const columns = columnsOf(ruleNames, (number) => at(`einheiten/${number}`));
  const fileOf = (units: readonly UnitFields[]) =>
    workTable(entries(units), ruleNames, (number) => new URL(at(`einheiten/${number}`), location.href).href);
  return (
    <Figure
      title={title}
      unit={
        list === null
          ? say(
              'Je Zeile eine Regel, die auf eine Einheit zutrifft; die größte Einheit zuerst',
              'One rule that applies to a unit a row; the largest unit first',
            )
          : say(
              `${unitCount(total)}, je Zeile eine Regel, die auf sie zutrifft; die größte zuerst`,
              `${unitCount(total)}, one rule that applies to them a row; the largest first`,
            )
      }
      loaded={loaded}
      requests={request === null ? [] : [request]}
      paged
      plain
      shows={say('die auffälligen Einheiten', 'the units with anomalies')}
      height={480}
      table={({ data }) => fileOf(data)}
      empty={({ data }) =>
        data.length === 0
          ? say('Keine Einheit dieser Auswahl fällt auf.', 'No unit of this choice has an anomaly.')
          : null
      }
      note={say(
        'Ein Vorschlag steht nur dort, wo eindeutig ist, was gemeint war; er geht in keine Summe ein. Berichtigen kann den Eintrag nur, wer die Anlage im Marktstammdatenregister führt; der Netzbetreiber prüft ihn.',
        'There is a proposal only where it is clear what was meant; it goes into no sum. Only those who keep the unit in the Marktstammdatenregister can correct the entry; the grid operator checks it.',
      )}
      {...(request !== null &&
        total > 0 && { download: <ListDownload {...{ title, request, total, tableOf: fileOf }} /> })}
    >
      {({ data, meta }) => (
        <>
          <RowTable
            columns={columns}
            rows={entries(data)}
            caption={title}
            idOf={({ unit, anomaly }) => `${unit.mastrNummer} ${anomaly.regel}`}
          />
          <Paging list={place} page={meta.page} rows={UNITS_OF_A_PAGE} />
        </>
      )}
    </Figure>
  );
}

const columnsOf = (
  ruleNames: ReadonlyMap<string, string>,
  hrefOf: (mastrNumber: string) => string,
): readonly RowColumn<Entry>[] => [
  {
    name: say('Einheit', 'Unit'),
    value: ({ unit }) => unit.mastrNummer,
    show: ({ unit }) => (
      <span class="unit-of-entry">
        <a class="nowrap" href={hrefOf(unit.mastrNummer)}>
          {unit.mastrNummer}
        </a>
        <bdi class="clamped">{textOrNull(unit.name) ?? ''}</bdi>
      </span>
    ),
  },
  {
    name: say('Was auffiel', 'What was found'),
    value: ({ anomaly }) => say(anomaly.hinweis, anomaly.note),
    show: ({ anomaly }) => (
      <span class="rule-text">
        <Severity id={anomaly.schwere} /> {ruleNames.get(anomaly.regel) ?? severityName(anomaly.regel)}
      </span>
    ),
  },
  {
    name: say('Eingetragen', 'Entered'),
    value: ({ values }) => values.map(({ title, text }) => `${title}: ${text}`).join('; '),
    show: ({ values }) => (
      <dl class="compared-values">
        {values.map(({ field, title, text }) => (
          <div key={field}>
            <dt>{title}</dt>
            <dd>
              <bdi>{text === '' ? NOTHING : text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    ),
  },
  {
    name: say('Vorschlag', 'Proposal'),
    value: ({ values }) => values.flatMap(proposedText).join('; ') || null,
    show: ({ values }) =>
      values
        .filter(({ proposal }) => proposal !== null)
        .map((value) => (
          <span key={value.field} class="proposal">
            <strong>{proposedText(value)}</strong> {reasonOf(value.proposal)}
          </span>
        )),
  },
  {
    name: say('Netzbetreiber', 'Grid operator'),
    value: ({ unit }) => textOrNull(unit.netzbetreiber),
    show: ({ unit }) => <bdi class="clamped">{textOrNull(unit.netzbetreiber) ?? NOTHING}</bdi>,
  },
  {
    name: say('Ort', 'Town'),
    value: ({ unit }) => placeOf(unit),
    show: ({ unit }) => <bdi class="clamped">{placeOf(unit)}</bdi>,
  },
];

function proposedText({ proposal, measure }: Entry['values'][number]): string[] {
  if (proposal === null) return [];
  const { wert } = proposal;
  const text = typeof wert === 'number' ? decimal(wert, 3) : wert;
  return [measure === '' ? text : `${text}\u202f${measure}`];
}
