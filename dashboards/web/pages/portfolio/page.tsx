import { useState } from 'preact/hooks';
import { flag, oneOf, pageNumber, someOf, useChoices, useNavigation } from '../../address/address.ts';
import { PAGE_NAMES } from '../../address/page-names.ts';
import { today } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count, plural } from '../../format/numbers.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { useDayOfRegister } from '../../frame/source.ts';
import { ownSwitch, type Watchable } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { ENTRIES_AT_ONCE, portfolioRequest } from '../../units/portfolio.ts';
import { ROLES, roleName } from '../../units/roles.ts';
import { useCatalogue } from '../../units/use-catalogue.ts';
import { mapLoaded, shown } from '../../v1/loaded.ts';
import type { WrittenRow } from '../../v1/organisation-answers.ts';
import { useVisit } from '../../v1/use-answer.ts';
import { AddForm } from './add-form.tsx';
import { type Batch, type Before, batchesOf, type Change, inverseOf } from './change.ts';
import { ENDING, isEnding } from './ending.ts';
import { EndingSwitch } from './ending-switch.tsx';
import { EntriesFigure, ROWS_PER_PAGE } from './entries-figure.tsx';
import { COLUMNS, USUAL_COLUMNS } from './entry-columns.tsx';
import { type Action, LastAction } from './last-action.tsx';
import { CarriersFigure, PortfolioFacts, StatusFigure } from './summary-figures.tsx';
import { fieldsOf, unitsRequest, usePortfolio, useUnits } from './use-portfolio.ts';
import { useWriter } from './use-writer.ts';
import { WritingState } from './writing-state.tsx';

export const CHOICES = {
  rolle: oneOf(['', ...ROLES]),
  entfernt: flag,
  foerderung: oneOf(['', '24monate']),
  spalten: someOf(COLUMNS, USUAL_COLUMNS),
  seite: pageNumber,
};

/** Numbers that the interface takes in one filter. */
const MOST_WATCHED = 500;

/** The whole portfolio, as it is whenever the alert is evaluated. */
const OWN: Watchable = { name: 'Portfolio', criteria: {}, savedFilterId: null, ...ownSwitch(true) };

/** Of a part of the portfolio an alert asks by numbers: it is about the units that are in it when it is made. */
const watchedUnits = (
  name: string,
  rows: readonly { readonly mastrNummer: string }[],
  isWhole: boolean,
): Watchable => ({
  name,
  criteria: { mastrNummern: rows.map(({ mastrNummer }) => mastrNummer) },
  savedFilterId: null,
  own: false,
  transient:
    isWhole && rows.length <= MOST_WATCHED
      ? null
      : say(
          `mehr als ${MOST_WATCHED} Anlagen; die Rolle engt sie ein`,
          `more than ${MOST_WATCHED} units; the role narrows them`,
        ),
});

const NO_ONE: ReadonlySet<string> = new Set();

export function Page() {
  const { me } = useVisit();
  const { at } = useNavigation();
  const [{ rolle, entfernt, foerderung, spalten, seite: page }, change] = useChoices(CHOICES);
  const [most, setMost] = useState(ENTRIES_AT_ONCE);
  const [revision, setRevision] = useState(0);
  const [picked, pick] = useState(NO_ONE);
  const [action, setAction] = useState<Action | null>(null);
  const [writing, write] = useWriter();

  const request = portfolioRequest(rolle, entfernt);
  const loaded = usePortfolio(request, most, revision);
  const portfolio = shown(loaded);
  const active = portfolio?.rows.filter(({ entferntAm }) => entferntAm === null) ?? null;
  const present = new Set(active?.map(({ mastrNummer }) => mastrNummer));
  const numbers = active?.map(({ mastrNummer }) => mastrNummer) ?? null;
  const fields = fieldsOf(useCatalogue());
  const units = useUnits(numbers, fields);
  const requests = [request, unitsRequest(numbers?.slice(0, 3) ?? [], fields)];
  const former = new Map(portfolio?.rows.map((entry) => [entry.mastrNummer, entry]));
  const mayWrite = me.key.scopes.includes('portfolio:write');
  const isThere = loaded.state !== 'failed';
  const asOf = useDayOfRegister() ?? today();
  const entries = mapLoaded(loaded, (all) =>
    foerderung === ''
      ? all
      : { ...all, rows: all.rows.filter(({ mastrNummer }) => isEnding(shown(units)?.get(mastrNummer), asOf)) },
  );
  const watched = shown(entries)?.rows.filter(({ entferntAm }) => entferntAm === null);
  const about = [rolle === '' ? null : roleName(rolle), foerderung === '' ? null : ENDING];
  const described = ['Portfolio', ...about].filter((part) => part !== null).join(', ');
  const lastPage = Math.max(1, Math.ceil((shown(entries)?.rows.length ?? 0) / ROWS_PER_PAGE));

  const send = async (wanted: Change, before: Before, batches: readonly Batch[], done: readonly WrittenRow[] = []) => {
    const written = await write(batches);
    const rows = [...done, ...written.rows];
    setAction({ change: wanted, written: { ...written, rows }, before, inverse: inverseOf(wanted, rows, before) });
    pick(NO_ONE);
    setRevision((number) => number + 1);
  };
  const apply = (wanted: Change): Promise<void> => {
    return send(
      wanted,
      { entries: former, isComplete: portfolio?.isComplete === true && rolle === '' },
      batchesOf(wanted),
    );
  };
  const resume = ({ change: wanted, before, written }: Action): Promise<void> =>
    send(wanted, before, written.remaining, written.rows);
  return (
    <KeptPage
      title="Portfolio"
      about={about}
      watchables={
        watched === undefined || watched.length === 0
          ? []
          : [
              about.every((part) => part === null)
                ? OWN
                : watchedUnits(described, watched, portfolio?.isComplete === true),
            ]
      }
      prefers="SIGNAL_CHANGE"
      canBeKept={isThere}
      lead={
        <>
          {say(
            'Die Anlagen der eigenen Organisation, mit ihrer Rolle zu jeder.',
            'The units of the own organisation, with its role towards each.',
          )}{' '}
          <a href={at('aenderungen', { portfolio: 'true', portfolioRelationType: rolle })}>{PAGE_NAMES.aenderungen}</a>
        </>
      }
    >
      {isThere && !mayWrite && (
        <p class="note">
          {say(
            'Der Schlüssel darf das Portfolio lesen, nicht ändern. Zum Hinzufügen und Entfernen braucht er das Recht',
            'The key may read the portfolio, but not change it. To add and remove it needs the right',
          )}{' '}
          <code>portfolio:write</code>.
        </p>
      )}
      {writing !== null && <WritingState writing={writing} />}
      {action !== null && (
        <LastAction
          action={action}
          isBusy={writing !== null}
          onUndo={() => apply(action.inverse)}
          onResume={() => resume(action)}
          onClose={() => setAction(null)}
        />
      )}
      {isThere && (
        <>
          {active !== null && active.length > 0 && (
            <>
              <PortfolioFacts loaded={units} entries={active.length} />
              <div class="two-columns">
                <CarriersFigure loaded={units} requests={requests} />
                <StatusFigure loaded={units} requests={requests} />
              </div>
            </>
          )}
          {mayWrite && (
            <AddForm
              isBusy={writing !== null}
              former={former}
              knowsAll={portfolio?.isComplete === true && rolle === ''}
              onAdd={apply}
            />
          )}
          <div class="choices">
            <label>
              {say('Rolle', 'Role')}
              <select
                value={rolle}
                onChange={(event) => change({ rolle: event.currentTarget.value as typeof rolle, seite: 1 })}
              >
                <option value="">{say('Alle', 'All')}</option>
                {ROLES.map((role) => (
                  <option key={role} value={role}>
                    {roleName(role)}
                  </option>
                ))}
              </select>
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={entfernt}
                onChange={(event) => change({ entfernt: event.currentTarget.checked, seite: 1 })}
              />
              {say('Entfernte Einträge auch zeigen', 'Show removed entries, too')}
            </label>
            <EndingSwitch
              units={shown(units)}
              asOf={asOf}
              value={foerderung === '24monate'}
              onChange={(next) => change({ foerderung: next ? '24monate' : '', seite: 1 })}
            />
            {mayWrite && (
              <ConfirmButton
                label={say(`Auswahl entfernen (${count(picked.size)})`, `Remove the selection (${count(picked.size)})`)}
                question={say(
                  `${plural(picked.size, 'Eintrag', 'Einträge')} aus dem Portfolio entfernen?`,
                  `Remove ${plural(picked.size, 'entry', 'entries')} from the portfolio?`,
                )}
                confirm={say('Entfernen', 'Remove')}
                disabled={picked.size === 0 || writing !== null}
                onConfirm={() => apply({ entries: [], removals: [...picked] })}
              >
                <p>
                  {say(
                    'Rolle und Kennungen bleiben gespeichert: Die Änderung lässt sich gleich danach rückgängig machen.',
                    'Role and identifiers stay stored: the change can be undone right after it.',
                  )}
                </p>
              </ConfirmButton>
            )}
          </div>
        </>
      )}
      {portfolio !== null && !portfolio.isComplete && (
        <p class="note">
          {say('Geladen sind die neuesten ', 'Loaded are the newest ')}
          {count(portfolio.rows.length)}
          {say(
            ' Einträge; das Portfolio hat mehr. Alle Zahlen dieser Seite gelten nur für sie.',
            ' entries; the portfolio has more. All figures of this page hold for them alone.',
          )}{' '}
          <button type="button" onClick={() => setMost(most + ENTRIES_AT_ONCE)}>
            {count(ENTRIES_AT_ONCE)}
            {say(' weitere laden', ' more: load')}
          </button>
        </p>
      )}
      <EntriesFigure
        loaded={entries}
        units={units}
        shownColumns={spalten}
        onColumns={(next) => change({ spalten: next })}
        narrowed={foerderung !== ''}
        requests={requests}
        page={Math.min(page, lastPage)}
        onPage={(next) => change({ seite: next })}
        withRemoved={entfernt}
        picking={mayWrite ? { picked, onPick: pick, can: (id) => present.has(id) } : null}
      />
    </KeptPage>
  );
}
