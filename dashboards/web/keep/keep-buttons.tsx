import { say } from '../format/language.ts';
import { useVisit } from '../v1/use-answer.ts';
import { AlertButton } from './alert-button.tsx';
import type { Watchable } from './kept.ts';
import { SaveButton } from './save-button.tsx';

/** Keeps what a page shows: under a name, or as an alert. Keys without the right do not see the buttons, nor do visitors of a link. */
export function KeepButtons({
  described,
  watchables,
  prefers,
  changed,
  isLasting,
}: {
  /** What the page shows, in a line. */
  described: string;
  /** Nothing that an alert could ask: it is not offered. */
  watchables: readonly Watchable[];
  prefers: string | null;
  changed: readonly string[];
  isLasting: boolean;
}) {
  const { me, isShared } = useVisit();
  if (isShared) return null;
  const may = (scope: string): boolean => me.key.scopes.includes(scope);
  const [only, ...more] = watchables;
  return (
    <div class="actions">
      {may('saved_filters:write') && isLasting && (
        <SaveButton
          described={described || say('Alle Einheiten', 'All units')}
          criteria={more.length === 0 ? (only?.criteria ?? {}) : {}}
        />
      )}
      {may('alerts:write') && watchables.length > 0 && <AlertButton {...{ watchables, prefers, changed }} />}
    </div>
  );
}
