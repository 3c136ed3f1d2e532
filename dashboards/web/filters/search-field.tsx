import { useEffect, useState } from 'preact/hooks';
import { say } from '../format/language.ts';

/** Words that occur in a unit; they are looked for when the field is left, or with Enter. */
export function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [typed, type] = useState(value);
  // The back button changes the value from outside.
  useEffect(() => type(value), [value]);
  const commit = (): void => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <label>
      {say('Suche', 'Search')}
      <input
        type="search"
        placeholder={say('Name, Ort, Betreiber oder Nummer', 'Name, town, operator or number')}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={commit}
      />
    </label>
  );
}
