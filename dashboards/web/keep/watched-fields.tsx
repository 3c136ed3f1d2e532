import { say } from '../format/language.ts';
import { useCatalogue } from '../units/use-catalogue.ts';
import { shown } from '../v1/loaded.ts';

/** What most alerts on fields watch: the operator, power, and state of a unit. */
export const USUAL_FIELDS: readonly string[] = ['betreiberMastrNummer', 'bruttoleistungKw', 'betriebsStatus'];

/** Chooses the fields that an alert watches. */
export function FieldChoice({
  watched,
  onWatch,
}: {
  watched: readonly string[];
  onWatch: (fields: readonly string[]) => void;
}) {
  const catalogue = shown(useCatalogue());
  if (catalogue === null) return null;
  const titleOf = (name: string): string => {
    const field = catalogue.byName.get(name);
    return field === undefined ? name : catalogue.titleOf(field);
  };
  const listed = [...new Set([...USUAL_FIELDS, ...watched])];
  const others = catalogue.fields
    .filter(({ name, lesbar, verfuegbar }) => lesbar && verfuegbar && !listed.includes(name) && !NEVER.includes(name))
    .map(({ name }) => ({ name, title: titleOf(name) }))
    .sort((one, other) => one.title.localeCompare(other.title));
  return (
    <fieldset>
      <legend>{say('Felder', 'Fields')}</legend>
      {listed.map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={watched.includes(name)}
            onChange={(event) =>
              onWatch(event.currentTarget.checked ? [...watched, name] : watched.filter((one) => one !== name))
            }
          />
          {titleOf(name)}
        </label>
      ))}
      <label>
        {say('Ein weiteres Feld', 'Another field')}
        <select value="" onChange={(event) => onWatch([...watched, event.currentTarget.value])}>
          <option value="">{say('Feld wählen', 'Choose a field')}</option>
          {others.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  );
}

/** A number stays, and signals have alerts of their own. */
const NEVER: readonly string[] = ['mastrNummer', 'signals'];
