import { useRef } from 'preact/hooks';
import { day } from '../../format/dates.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { ShareCode } from '../../frame/share-code.tsx';
import { useChanges } from '../../frame/use-changes.ts';
import type { Share, ShareList } from '../../v1/organisation-answers.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useLoad, useVisit } from '../../v1/use-answer.ts';

const SHARES: ApiRequest = { path: '/v1/shares' };

const STATES: Readonly<Record<string, string>> = {
  live: 'Gilt',
  ended: 'Abgelaufen',
  revoked: 'Zurückgezogen',
};

/** Shows the public links with their use, and takes them back. */
export function SharesFigure() {
  const { me } = useVisit();
  const { revision, problem, change } = useChanges();
  const loaded = useLoad(`shares ${revision}`, async ({ ask }) => (await ask<ShareList>(SHARES)).data);
  const mayRevoke = me.key.scopes.includes('shares:write');
  const columns: readonly RowColumn<Share>[] = [
    ...COLUMNS,
    {
      name: 'Verwalten',
      value: () => null,
      show: (share) =>
        share.state === 'live' && (
          <div class="actions">
            <CodeButton share={share} />
            {mayRevoke && (
              <ConfirmButton
                label="Zurückziehen"
                question="Link zurückziehen?"
                confirm="Zurückziehen"
                disabled={false}
                onConfirm={() => change({ path: `/v1/shares/${share.id}`, method: 'DELETE' })}
              >
                <p>„{share.name}“ ist dann nirgends mehr zu sehen, auch nicht, wo die Ansicht eingebettet ist.</p>
              </ConfirmButton>
            )}
          </div>
        ),
    },
  ];
  const title = 'Öffentliche Links';
  return (
    <>
      {problem !== null && (
        <p class="fault" role="alert">
          Nicht zurückgezogen: {sentenceOf(problem)}
        </p>
      )}
      <Figure
        title={title}
        unit="Ansichten, die ohne Schlüssel zu sehen sind; „Teilen“ auf ihrer Seite legt einen Link an"
        loaded={loaded}
        requests={[SHARES]}
        shows="die öffentlichen Links der Organisation mit ihrer Nutzung"
        origin="Eigene Einstellungen der Organisation"
        table={(shares) => tableOf(COLUMNS, shares)}
        empty={(shares) => (shares.length === 0 ? 'Es ist keine Ansicht geteilt.' : null)}
        height={110}
        plain
      >
        {(shares) => <RowTable columns={columns} rows={shares} caption={title} idOf={({ id }) => id} />}
      </Figure>
    </>
  );
}

const COLUMNS: readonly RowColumn<Share>[] = [
  {
    name: 'Ansicht',
    value: ({ name }) => name,
    show: ({ name, url, state }) =>
      state === 'live' ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      ) : (
        name
      ),
  },
  {
    name: 'Zustand',
    value: ({ state }) => STATES[state] ?? state,
    show: ({ state }) => <span class={state === 'live' ? 'tag good' : 'tag bad'}>{STATES[state] ?? state}</span>,
  },
  { name: 'Gilt bis', value: ({ endsOn }) => day(endsOn) },
  { name: 'Eingebettet von', value: ({ frameAncestors }) => frameAncestors.join(', ') || null },
  { name: 'Geöffnet', value: ({ views }) => views, numeric: true, digits: 0 },
  { name: 'Anfragen', value: ({ calls }) => calls, numeric: true, digits: 0 },
  { name: 'Zuletzt', value: ({ lastUsedAt }) => (lastUsedAt === null ? null : day(lastUsedAt)) },
];

function CodeButton({ share }: { share: Share }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Link und Code
      </button>
      <dialog ref={dialog} aria-label={`Link und Code: ${share.name}`}>
        <ShareCode share={share} />
        <p class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Schließen
          </button>
        </p>
      </dialog>
    </>
  );
}
