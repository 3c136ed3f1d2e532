import { FIRST_YEAR, LAST_YEAR } from './periods.ts';

/**
 * A day that is typed or taken from a calendar. It counts once it is a day that data can be of: while a year is being typed,
 * the years 2, 20 and 202 stand in the field.
 */
export function DayInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label>
      {label}
      <input
        type="date"
        value={value}
        min={`${FIRST_YEAR}-01-01`}
        max={`${LAST_YEAR}-12-31`}
        required
        onChange={({ currentTarget }) => {
          if (currentTarget.validity.valid) onChange(currentTarget.value);
        }}
        // A field that was left with half a day in it shows again what holds.
        onBlur={({ currentTarget }) => {
          currentTarget.value = value;
        }}
      />
    </label>
  );
}
