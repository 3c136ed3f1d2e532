import { useNavigation } from '../../address/address.ts';
import { carrierName } from '../../charts/carriers.ts';
import { day, time } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { GatheredDownload } from '../../frame/gathered-download.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import type { Catalogue } from '../../units/catalogue.ts';
import { changesText, FieldChanges, kindOfChange } from '../../units/field-changes.tsx';
import { Paging } from '../../units/paging.tsx';
import { type SignalTexts, useSignalTexts } from '../../units/signals.ts';
import { allPages } from '../../v1/all-pages.ts';
import type { ChangeFeed, RegisterChange } from '../../v1/history-answers.ts';
import { type ApiRequest, listItems } from '../../v1/request.ts';
import { useAnswer, useVisit } from '../../v1/use-answer.ts';

/** Changes of a page. */
const ROWS = 50;

export const KINDS = ['neu', 'geaendert', 'entfallen'] as const;

export type Kind = (typeof KINDS)[number];

/** Lists each change, unit by unit, with the values before and after. */
export function FeedFigure({
  request,
  name,
  feld,
  art,
  catalogue,
  place,
  onChange,
}: {
  /** Units and days. */
  request: ApiRequest;
  name: string;
  /** Names of fields, as a list; '' = whichever. */
  feld: string;
  art: readonly Kind[];
  catalogue: Catalogue;
  place: Parameters<typeof Paging>[0]['list'];
  onChange: (changes: { readonly feld?: string; readonly art?: readonly Kind[] }) => void;
}) {
  const { at } = useNavigation();
  const { maxPageSize, exportRows } = useVisit().me.limits;
  const asked: ApiRequest = {
    path: request.path,
    query: {
      ...request.query,
      feld: listItems(feld),
      art: art.length === KINDS.length ? null : art,
      limit: ROWS,
    },
  };
  const loaded = useAnswer<ChangeFeed>({ ...asked, query: { ...asked.query, cursor: place.cursor } });
  const signals = useSignalTexts(true);
  const columns = columnsOf(catalogue, signals, (number) => at(`einheiten/${number}`));
  const title = say(`Jede Änderung: ${name}`, `Each change: ${name}`);
  return (
    <>
      <div class="choices">
        <label class="field-choice">
          {say('Geändertes Feld', 'Changed field')}
          <select value={feld} onChange={(event) => onChange({ feld: event.currentTarget.value })}>
            <option value="">{say('Jedes', 'Any')}</option>
            {fieldChoices(catalogue, feld).map(({ value, title: words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <fieldset class="checks">
          <legend>{say('Zeigen', 'Show')}</legend>
          <div>
            {KINDS.map((kind) => (
              <label key={kind}>
                <input
                  type="checkbox"
                  checked={art.includes(kind)}
                  onChange={(event) => {
                    const next = KINDS.filter((one) => art.includes(one) !== (one === kind));
                    // Without any kind there would be no list: the last one stays chosen.
                    if (next.length > 0) onChange({ art: next });
                    else event.currentTarget.checked = true;
                  }}
                />
                {kindOfChange(kind, null)}
              </label>
            ))}
          </div>
        </fieldset>
      </div>
      <Figure
        title={title}
        unit={say('Eine Zeile je Einheit und Stand, die ältesten zuerst', 'One unit and state a row, the oldest first')}
        loaded={loaded}
        requests={[asked]}
        paged
        plain
        download={
          loaded.state === 'ready' && loaded.value.data.length > 0 ? (
            <GatheredDownload
              {...{ title }}
              request={asked}
              of={null}
              words={say('alle Änderungen', 'all changes')}
              gather={async (loading) => {
                const whole = { ...asked, query: { ...asked.query, limit: maxPageSize } };
                const { rows, isComplete } = await allPages<RegisterChange>(loading, whole, { most: exportRows });
                const cut = say(
                  `Nur die ersten ${count(rows.length)}: mehr sind der Organisation nicht freigegeben`,
                  `Only the first ${count(rows.length)}: the organisation may export no more`,
                );
                return {
                  table: tableOf(columns, rows),
                  cut: isComplete ? '' : ` · ${cut}`,
                  said: isComplete
                    ? say(`${count(rows.length)} Änderungen gespeichert.`, `${count(rows.length)} changes saved.`)
                    : `${cut}.`,
                };
              }}
            />
          ) : undefined
        }
        shows={say('jede Änderung', 'each change')}
        height={320}
        table={({ data }) => tableOf(columns, data)}
        empty={({ data }) =>
          data.length === 0
            ? say('Zwischen diesen Tagen gab es keine solche Änderung.', 'There was no such change between these days.')
            : null
        }
        note={say(
          'Die Filter gelten vorher oder nachher: Auch was die Auswahl verlassen hat, steht hier. Was zwischen zwei Ständen war, ist nicht bekannt: Eine Änderung liegt irgendwo zwischen ihnen.',
          'The filters hold before or after: what has left the choice stands here, too. What was between two states is not known: a change lies somewhere between them.',
        )}
      >
        {({ data, meta }) => (
          <>
            <RowTable
              columns={columns}
              rows={data}
              caption={title}
              idOf={({ mastrNummer, version }) => `${mastrNummer} ${version}`}
            />
            <Paging list={place} page={meta} rows={ROWS} />
          </>
        )}
      </Figure>
    </>
  );
}

/** The fields of which one may be chosen; what an address names beside them stays. */
function fieldChoices({ fields, titleOf }: Catalogue, chosen: string) {
  const known = fields
    .filter(({ lesbar, verfuegbar, name }) => lesbar && verfuegbar && name !== 'mastrNummer')
    .map((field) => ({ value: field.name, title: titleOf(field) }))
    .sort((one, other) => one.title.localeCompare(other.title));
  return chosen === '' || known.some(({ value }) => value === chosen)
    ? known
    : [{ value: chosen, title: listItems(chosen).join(', ') }, ...known];
}

const columnsOf = (
  catalogue: Catalogue,
  signals: SignalTexts,
  hrefOf: (mastrNumber: string) => string,
): readonly RowColumn<RegisterChange>[] => [
  { name: say('Stand', 'State'), value: ({ tag }) => day(tag) },
  { name: say('Stand davor', 'State before'), value: ({ nachTag }) => day(nachTag) },
  {
    name: say('Einheit', 'Unit'),
    value: ({ mastrNummer }) => mastrNummer,
    show: ({ mastrNummer }) => (
      <a class="nowrap" href={hrefOf(mastrNummer)}>
        {mastrNummer}
      </a>
    ),
  },
  { name: say('Energieträger', 'Carrier'), value: ({ einheitTyp }) => carrierName(einheitTyp) },
  { name: say('Was', 'What'), value: ({ art, grund }) => kindOfChange(art, grund) },
  {
    name: say('Vorher → nachher', 'Before → after'),
    value: ({ aenderungen }) => changesText(aenderungen, catalogue, signals) || null,
    show: ({ aenderungen }) => <FieldChanges changes={aenderungen} {...{ catalogue, signals }} />,
  },
  {
    name: say('Im Register aktualisiert', 'Updated in the register'),
    value: ({ datumLetzteAktualisierung }) => time(datumLetzteAktualisierung),
  },
];
