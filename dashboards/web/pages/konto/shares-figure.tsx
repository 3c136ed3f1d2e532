import { useRef } from 'preact/hooks';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
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
  live: say('Gilt', 'Valid'),
  ended: say('Abgelaufen', 'Expired'),
  revoked: say('Zurückgezogen', 'Withdrawn'),
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
      name: say('Verwalten', 'Manage'),
      value: () => null,
      show: (share) =>
        share.state === 'live' && (
          <div class="actions">
            <CodeButton share={share} />
            {mayRevoke && (
              <ConfirmButton
                label={say('Zurückziehen', 'Withdraw')}
                question={say('Link zurückziehen?', 'Withdraw the link?')}
                confirm={say('Zurückziehen', 'Withdraw')}
                disabled={false}
                onConfirm={() => change({ path: `/v1/shares/${share.id}`, method: 'DELETE' })}
              >
                <p>
                  {say('„', '“')}
                  {share.name}
                  {say(
                    '“ ist dann nirgends mehr zu sehen, auch nicht, wo die Ansicht eingebettet ist.',
                    '” can be seen nowhere any more then, not where the view is embedded either.',
                  )}
                </p>
              </ConfirmButton>
            )}
          </div>
        ),
    },
  ];
  const title = say('Öffentliche Links', 'Public links');
  return (
    <>
      {problem !== null && (
        <p class="fault" role="alert">
          {say('Nicht zurückgezogen: ', 'Not withdrawn: ')}
          {sentenceOf(problem)}
        </p>
      )}
      <Figure
        title={title}
        unit={say(
          'Ansichten, die ohne Schlüssel zu sehen sind; „Teilen“ auf ihrer Seite legt einen Link an',
          'Views that can be seen without a key; “Share” on their page makes a link',
        )}
        loaded={loaded}
        requests={[SHARES]}
        shows={say(
          'die öffentlichen Links der Organisation mit ihrer Nutzung',
          'the public links of the organisation with their use',
        )}
        origin={say('Eigene Einstellungen der Organisation', 'Own settings of the organisation')}
        table={(shares) => tableOf(COLUMNS, shares)}
        empty={(shares) => (shares.length === 0 ? say('Es ist keine Ansicht geteilt.', 'No view is shared.') : null)}
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
    name: say('Ansicht', 'View'),
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
    name: say('Zustand', 'State'),
    value: ({ state }) => STATES[state] ?? state,
    show: ({ state }) => <span class={state === 'live' ? 'tag good' : 'tag bad'}>{STATES[state] ?? state}</span>,
  },
  { name: say('Gilt bis', 'Valid until'), value: ({ endsOn }) => day(endsOn) },
  { name: say('Eingebettet von', 'Embedded by'), value: ({ frameAncestors }) => frameAncestors.join(', ') || null },
  { name: say('Geöffnet', 'Opened'), value: ({ views }) => views, numeric: true, digits: 0 },
  { name: say('Anfragen', 'Requests'), value: ({ calls }) => calls, numeric: true, digits: 0 },
  { name: say('Zuletzt', 'Last'), value: ({ lastUsedAt }) => (lastUsedAt === null ? null : day(lastUsedAt)) },
];

function CodeButton({ share }: { share: Share }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {say('Link und Code', 'Link and code')}
      </button>
      <dialog ref={dialog} aria-label={say(`Link und Code: ${share.name}`, `Link and code: ${share.name}`)}>
        <ShareCode share={share} />
        <p class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            {say('Schließen', 'Close')}
          </button>
        </p>
      </dialog>
    </>
  );
}
