/** Years before this are what stands in a field while a year is being typed: 2, 20, 202, 2024. */
const FIRST_YEAR = 1850;

/** A day that is typed or taken from a calendar. It counts once it is a day that data can be of. */
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
        max="2199-12-31"
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
