import { useEffect, useState } from 'preact/hooks';

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
      Suche
      <input
        type="search"
        placeholder="Name, Ort, Betreiber oder Nummer"
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={commit}
      />
    </label>
  );
}
