import { useEffect, useId, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import type { UnitFilter } from '../units/filters.ts';
import type { Changes } from './filter-address.ts';

/** From a bound to another, or one of both. */
export function Bounds({
  filter: { title, kind, parameters, field },
  values,
  onChange,
}: {
  filter: UnitFilter;
  values: ReadonlyMap<string, string>;
  onChange: (changes: Changes) => void;
}) {
  return (
    <fieldset class="bounds">
      <legend class="visually-hidden">{title}</legend>
      {parameters.map(({ name, bound }) => (
        <Bound
          key={name}
          label={bound === 'lower' ? say('von', 'from') : say('bis', 'to')}
          unit={field.einheit}
          isDay={kind === 'days'}
          value={values.get(name) ?? ''}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </fieldset>
  );
}

/** Nothing in the register is older. */
const EARLIEST = '1850-01-01';

/** A number as Germans write it, or as programs do. */
/** Either sign begins the decimals, but for what looks like a thousand. */
const NUMBER = say(/^-?\d+(,\d+|\.(?!\d{3}$)\d+)?$/, /^-?\d+(\.\d+|,(?!\d{3}$)\d+)?$/);

function Bound({
  label,
  unit,
  isDay,
  value,
  onChange,
}: {
  label: string;
  unit: string | null;
  isDay: boolean;
  value: string;
  onChange: (value: string | null) => void;
}) {
  const id = useId();
  const shown = isDay ? value : say(value.replace('.', ','), value);
  const [typed, type] = useState(shown);
  const [fault, setFault] = useState<string | null>(null);
  // The back button changes the value from outside.
  useEffect(() => {
    type(shown);
    setFault(null);
  }, [shown]);
  const commit = (written: string): void => {
    const text = written.trim();
    const isWrong = text !== '' && !isDay && !NUMBER.test(text);
    setFault(isWrong ? say('Eine Zahl wie 750 oder 0,6', 'A number like 750 or 0.6') : null);
    if (!isWrong && text !== shown) onChange(text === '' ? null : isDay ? text : text.replace(',', '.'));
  };
  return (
    <label>
      <span>
        {label}
        {unit !== null && ` (${unit})`}
      </span>
      <input
        {...(isDay ? { type: 'date' } : { type: 'text', inputMode: 'decimal' as const })}
        value={typed}
        aria-invalid={fault !== null}
        {...(fault === null ? {} : { 'aria-describedby': id })}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={(event) => {
          const { value: written } = event.currentTarget;
          // Somebody who types a year passes through those of late antiquity.
          if (!isDay || written === '' || written >= EARLIEST) commit(written);
        }}
      />
      {fault !== null && (
        <small id={id} class="fault">
          {fault}
        </small>
      )}
    </label>
  );
}
