import { say } from '../../format/language.ts';
import { Page as Frame } from '../../frame/page.tsx';
import { useVisit } from '../../v1/use-answer.ts';
import { AlertsFigure } from './alerts-figure.tsx';
import { CHOICES } from './choices.ts';
import { SavedFiltersFigure } from './saved-filters-figure.tsx';

export { CHOICES };

export function Page() {
  const { me } = useVisit();
  const may = (scope: string): boolean => me.key.scopes.includes(scope);
  const lacking = ['alerts:write', 'saved_filters:write'].filter((scope) => !may(scope));
  return (
    <Frame
      title={say('Alarme und Filter', 'Alerts and filters')}
      lead={say(
        'Was die Organisation von jedem neuen Stand des Registers wissen will, und die Filter, die sie behält.',
        'What the organisation wants to know of each new state of the register, and the filters that it keeps.',
      )}
    >
      {lacking.length > 0 && (
        <p class="note">
          {say('Zum Anlegen und Ändern braucht der Schlüssel', 'To make and change them, the key needs')}{' '}
          {lacking.map((scope, place) => (
            <>
              {place > 0 && say(' und ', ' and ')}
              <code>{scope}</code>
            </>
          ))}
          .
        </p>
      )}
      <AlertsFigure />
      <SavedFiltersFigure />
    </Frame>
  );
}
