import { useId } from 'preact/hooks';

/** A choice between a few words that stand side by side. */
export function Segmented<Word extends string>({
  label,
  value,
  words,
  onChange,
}: {
  label: string;
  /** null = none of them. */
  value: Word | null;
  words: readonly { readonly value: Word; readonly name: string }[];
  onChange: (value: Word) => void;
}) {
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend>{label}</legend>
      <div>
        {words.map((word) => (
          <label key={word.value}>
            <input
              type="radio"
              name={name}
              value={word.value}
              checked={word.value === value}
              onChange={() => onChange(word.value)}
            />
            <span>{word.name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
