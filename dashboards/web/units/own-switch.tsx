import { say } from '../format/language.ts';
import { useVisit } from '../v1/use-answer.ts';

/** In titles, behind the place. */
export const OWN_PORTFOLIO = say('eigenes Portfolio', 'own portfolio');

/** Says whose units a title is about. */
export const ownName = (place: string, own: boolean): string => (own ? `${place}, ${OWN_PORTFOLIO}` : place);

/**
 * Narrows a page to units of the own portfolio. Who may not read it is not offered that; a link that asks for it all the same
 * can be left.
 */
export function OwnSwitch({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  const { me } = useVisit();
  const mayRead = me.key.scopes.includes('portfolio:read') && me.organization.modules.includes('portfolio');
  if (!mayRead && !value) return null;
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      {say('Nur Portfolio', 'Portfolio only')}
    </label>
  );
}
