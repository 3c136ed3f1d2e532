import type { Catalogue } from '../../units/catalogue.ts';
import type { UnitRows } from '../../v1/unit-answers.ts';

/** Says that there is nothing, and what was probably meant. */
export function NothingFound({
  hints,
  catalogue,
}: {
  hints: NonNullable<UnitRows['meta']['hinweise']>;
  catalogue: Catalogue | null;
}) {
  const titleOf = (parameter: string): string => {
    const field = catalogue?.fields.find(({ filter }) => filter.includes(parameter));
    return field === undefined || catalogue === null ? parameter : catalogue.titleOf(field);
  };
  return (
    <>
      <span>Keine Einheit erfüllt alle diese Bedingungen.</span>
      {hints.map(({ parameter, wert, hinweis }) => (
        <span key={`${parameter} ${wert}`} class="hint">
          {titleOf(parameter)} <bdi>„{wert}“</bdi>: <span lang="en">{hinweis}</span>
        </span>
      ))}
    </>
  );
}
