import { useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { LEVELS } from '../../regions/region.ts';
import { useRegionName } from '../../regions/use-region-name.ts';
import { valuesOf } from '../../units/criteria.ts';
import { describedFilter, isChosen } from '../../units/describe.ts';
import { filtersOf, isOnePlace } from '../../units/filters.ts';
import { OWN_PORTFOLIO } from '../../units/own-switch.tsx';
import { useSignalTexts } from '../../units/signals.ts';
import { useCatalogue } from '../../units/use-catalogue.ts';
import { useValueNames } from '../../units/value-names.ts';
import { shown } from '../../v1/loaded.ts';
import type { Alert } from '../../v1/organisation-answers.ts';

/** Names the units that an alert is about, and leads to their list. */
export function AskedUnits({ alert: { criteria, savedFilterId } }: { alert: Alert }) {
  const { at } = useNavigation();
  const catalogue = shown(useCatalogue());
  const values = useMemo(() => valuesOf(criteria ?? {}), [criteria]);
  const nameOf = useValueNames(values, useSignalTexts(values.has('signals')));
  const level = LEVELS.find((one) => isOnePlace(one) && values.has(one));
  const region = useRegionName(level === undefined ? null : { level, value: values.get(level) ?? '' });
  const words = useMemo(() => {
    if (savedFilterId !== null) return say('Gespeicherter Filter', 'Saved filter');
    if (values.size === 0) return say('Alle Einheiten', 'All units');
    const filters = catalogue === null ? [] : filtersOf(catalogue, null);
    const parts = filters
      .filter((filter) => isChosen(filter, values))
      .map((filter) => (filter.id === level ? region : describedFilter(filter, values, nameOf)));
    return [...parts, ...(values.has('portfolio') ? [OWN_PORTFOLIO] : [])].join(', ');
  }, [catalogue, values, savedFilterId, region, level, nameOf]);
  return (
    <a href={at('einheiten', { ...Object.fromEntries(values), savedFilterId })}>
      <bdi>{words || say('Liste', 'List')}</bdi>
    </a>
  );
}
