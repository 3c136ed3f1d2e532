import { quoted, say } from '../../format/language.ts';
import type { Catalogue } from '../../units/catalogue.ts';
import type { Hint } from '../../v1/answers.ts';

/** Says which values no unit has, and what was probably meant. */
export function HintLines({ hints, catalogue }: { hints: readonly Hint[]; catalogue: Catalogue | null }) {
  const titleOf = (parameter: string): string | null => {
    const field = catalogue?.fields.find(({ filter }) => filter.includes(parameter));
    return field === undefined || catalogue === null ? null : catalogue.titleOf(field);
  };
  return (
    <>
      {hints.map(({ parameter, wert, vorschlag }) => {
        const title = titleOf(parameter);
        // Of what is no filter, as the end of a list, the page tells elsewhere.
        if (title === null) return null;
        return (
          <span key={`${parameter} ${wert}`} class="hint">
            {title} <bdi>{quoted(wert)}</bdi>
            {say(': Das hat keine Einheit.', ': no unit has this.')}
            {vorschlag !== undefined && (
              <>
                {' '}
                {say('Gemeint ist vielleicht ', 'Perhaps this is meant: ')}
                <bdi>{quoted(vorschlag)}</bdi>.
              </>
            )}
          </span>
        );
      })}
    </>
  );
}
