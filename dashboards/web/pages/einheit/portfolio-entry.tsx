import { useState } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { RoleChoice } from '../../units/role-choice.tsx';
import { type Role, roleName } from '../../units/roles.ts';
import type { Answer } from '../../v1/client.ts';
import { type Problem, problemOf } from '../../v1/problem.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import { useVisit } from '../../v1/use-answer.ts';
import type { UnitProps } from './unit-props.ts';

type Written = Answer<readonly { readonly status: string; readonly error?: { readonly message: string } }[]>;

type State =
  | { readonly is: 'open' }
  | { readonly is: 'writing' }
  | { readonly is: 'done'; readonly sentence: string; readonly canUndo: boolean }
  /** The unit is in the portfolio in another role, which a click would overwrite. */
  | { readonly is: 'asking' }
  | { readonly is: 'failed'; readonly problem: Problem };

/** Puts the unit into the organisation's portfolio, and takes it out again. */
export function PortfolioEntry({ unit: { mastrNummer } }: UnitProps) {
  const { client, me } = useVisit();
  const { at } = useNavigation();
  const [role, setRole] = useState<Role>('OPERATOR');
  const [state, set] = useState<State>({ is: 'open' });
  const may = me.organization.modules.includes('portfolio') && me.key.scopes.includes('portfolio:write');
  if (!may) return null;

  const write = async (method: 'POST' | 'DELETE', isTrial: boolean): Promise<string> => {
    const body =
      method === 'POST' ? { entries: [{ mastrNummer, relationType: role }] } : { mastrNummern: [mastrNummer] };
    const query = isTrial ? { dryRun: true } : {};
    const { data } = await client.change<Written>({ method, path: '/v1/portfolio', query, body });
    const [row] = data;
    if (row === undefined || row.status === 'failed')
      throw new Error(row?.error?.message ?? say('Keine Antwort zur Einheit', 'No answer about the unit'));
    return row.status;
  };
  const run = (work: () => Promise<State>) => async (): Promise<void> => {
    set({ is: 'writing' });
    try {
      set(await work());
    } catch (error) {
      set({ is: 'failed', problem: problemOf(error) });
    }
  };
  const put = async (canUndo: boolean): Promise<State> => {
    await write('POST', false);
    return {
      is: 'done',
      sentence: say(
        `Die Einheit ist im Portfolio: ${roleName(role)}.`,
        `The unit is in the portfolio: ${roleName(role)}.`,
      ),
      canUndo,
    };
  };
  const add = run(async () => {
    // A removal that is only tried says whether it is there; an entry that was removed once is none.
    const isThere = (await write('DELETE', true)) === 'updated';
    if (!isThere) return put(true);
    const isSame = (await write('POST', true)) === 'unchanged';
    if (!isSame) return { is: 'asking' };
    return {
      is: 'done',
      sentence: say(
        `Die Einheit ist schon im Portfolio: ${roleName(role)}.`,
        `The unit is in the portfolio already: ${roleName(role)}.`,
      ),
      canUndo: false,
    };
  });
  const undo = run(async () => {
    await write('DELETE', false);
    return { is: 'open' };
  });
  return (
    <section class="figure portfolio-entry" aria-label="Portfolio">
      <div class="choices">
        <RoleChoice label={say('Rolle', 'Role')} value={role} disabled={state.is === 'writing'} onChange={setRole} />
        <button type="button" class="primary" disabled={state.is === 'writing'} onClick={add}>
          {say('Ins Portfolio', 'Into the portfolio')}
        </button>
      </div>
      <div role="status">
        {state.is === 'asking' && (
          <p class="actions">
            {say(
              'Die Einheit ist schon im Portfolio, in einer anderen Rolle.',
              'The unit is in the portfolio already, in another role.',
            )}
            <button type="button" onClick={run(() => put(false))}>
              {say('Rolle ändern', 'Change the role')}
            </button>
            <button type="button" onClick={() => set({ is: 'open' })}>
              {say('So lassen', 'Leave it')}
            </button>
          </p>
        )}
        {state.is === 'done' && (
          <p class="actions">
            {state.sentence}
            {state.canUndo && (
              <button type="button" onClick={undo}>
                {say('Rückgängig', 'Undo')}
              </button>
            )}
            <a href={at('portfolio')}>{say('Zum Portfolio', 'To the portfolio')}</a>
          </p>
        )}
        {state.is === 'failed' && <p class="fault">{sentenceOf(state.problem)}</p>}
      </div>
    </section>
  );
}
