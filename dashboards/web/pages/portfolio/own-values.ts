import { writtenValue } from '../../units/own-values.ts';
import { chunks } from '../../v1/all-pages.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { OwnField, OwnFieldList, OwnValuesOfUnits } from '../../v1/unit-answers.ts';
import { useLoad, useVisit } from '../../v1/use-answer.ts';

/** What the organisation has written in own fields, as a text for each unit and field. */
export interface OwnValues {
  /** Those that some unit has a value of. */
  readonly fields: readonly OwnField[];
  of(mastrNumber: string, fieldId: string): string | null;
}

/** An address with so many numbers is still taken by what stands before services. */
const UNITS_AT_ONCE = 400;

/** @param numbers those that are shown; null = nothing is asked */
export function useOwnValues(numbers: readonly string[] | null): Loaded<OwnValues> | null {
  const { me } = useVisit();
  const mayRead = me.key.scopes.includes('custom_fields:read') && me.organization.modules.includes('workspace');
  const isWanted = mayRead && numbers !== null && numbers.length > 0;
  const loaded = useLoad(isWanted ? `own ${numbers.join(',')}` : null, async ({ ask }): Promise<OwnValues> => {
    const { data: fields } = await ask<OwnFieldList>({ path: '/v1/custom-fields' });
    const texts = new Map<string, string>();
    for (const some of chunks(fields.length === 0 ? [] : (numbers ?? []), UNITS_AT_ONCE)) {
      const query = { mastrNummern: some };
      const { data } = await ask<OwnValuesOfUnits>({ path: '/v1/custom-fields/values', query });
      for (const value of data) {
        if (value.schreiber === 'gegenseite') continue;
        const place = `${value.mastrNummer}/${value.defId}`;
        const before = texts.get(place);
        texts.set(place, before === undefined ? writtenValue(value) : `${before}; ${writtenValue(value)}`);
      }
    }
    const having = new Set([...texts.keys()].map((place) => place.split('/')[1]));
    return {
      fields: fields.filter(({ id }) => having.has(id)),
      of: (mastrNumber, fieldId) => texts.get(`${mastrNumber}/${fieldId}`) ?? null,
    };
  });
  return isWanted ? loaded : null;
}
