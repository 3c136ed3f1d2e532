import { writtenValue } from '../../units/own-values.ts';
import { allPages } from '../../v1/all-pages.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { OwnFieldList, OwnValueList, UnitFields } from '../../v1/unit-answers.ts';
import { useLoad, useVisit } from '../../v1/use-answer.ts';

const FIELDS: ApiRequest = { path: '/v1/custom-fields' };

/**
 * What the organisation has written in own fields of these units, as one text each. The interface gives values unit by unit: it
 * is first asked which units have any. @param numbers those that are shown; null = nothing is asked
 */
export function useOwnValues(numbers: readonly string[] | null): Loaded<ReadonlyMap<string, string>> | null {
  const { me } = useVisit();
  const mayRead = me.key.scopes.includes('custom_fields:read') && me.organization.modules.includes('workspace');
  const isWanted = mayRead && numbers !== null && numbers.length > 0;
  const loaded = useLoad(isWanted ? `own ${numbers.join(',')}` : null, async ({ ask }) => {
    const { data: fields } = await ask<OwnFieldList>(FIELDS);
    const lists = await Promise.all(
      fields.map(({ name }) => {
        const query = { portfolioCustomField: name, fields: ['mastrNummer'] };
        return allPages<UnitFields>({ ask, progress: () => undefined }, { path: '/v1/units', query });
      }),
    );
    const having = new Set(lists.flatMap(({ rows }) => rows.map(({ mastrNummer }) => mastrNummer)));
    const texts = await Promise.all(
      (numbers ?? [])
        .filter((number) => having.has(number))
        .map(async (number) => {
          const { data } = await ask<OwnValueList>({ path: `/v1/units/${number}/custom-fields` });
          const parts = data
            .filter(({ schreiber }) => schreiber !== 'gegenseite')
            .map(
              (value) => `${fields.find(({ id }) => id === value.defId)?.name ?? value.defId}: ${writtenValue(value)}`,
            );
          return [number, parts.join('; ')] as const;
        }),
    );
    return new Map(texts);
  });
  return isWanted ? loaded : null;
}
