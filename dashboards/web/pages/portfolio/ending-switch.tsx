import { count } from '../../format/numbers.ts';
import { ENDING, isEnding } from './ending.ts';
import type { PortfolioUnit } from './use-portfolio.ts';

/** Narrows the table to what needs a decision; a key that may not read the end of support is not offered that. */
export function EndingSwitch({
  units,
  asOf,
  value,
  onChange,
}: {
  units: ReadonlyMap<string, PortfolioUnit> | null;
  asOf: string;
  value: boolean;
  onChange: (value: boolean) => void;
}) {
  const all = [...(units?.values() ?? [])];
  if (!value && !all.some(({ eegFoerderende }) => eegFoerderende !== undefined)) return null;
  const number = all.filter((unit) => isEnding(unit, asOf)).length;
  return (
    <button type="button" aria-pressed={value} onClick={() => onChange(!value)}>
      {ENDING} ({count(number)})
    </button>
  );
}
