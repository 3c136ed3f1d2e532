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
      title="Alarme und Filter"
      lead="Was die Organisation von jedem neuen Stand des Registers wissen will, und die Filter, die sie behält."
    >
      {lacking.length > 0 && (
        <p class="note">
          Zum Anlegen und Ändern braucht der Schlüssel{' '}
          {lacking.map((scope, place) => (
            <>
              {place > 0 && ' und '}
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
