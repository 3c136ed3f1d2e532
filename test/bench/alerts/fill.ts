import { randomUUIDv7 } from 'node:crypto';
import { SIGNAL_IDS } from '../../../sql/catalogue/signals.ts';
import { type AlertRow, putAlerts } from '../../../sql/org/alerts/alerts.ts';
import { putSavedFilters, type SavedFilterRow } from '../../../sql/org/records/saved-filters.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { type FilterName, filtersOf } from '../queries/filters.ts';
import type { Random } from '../queries/random.ts';
import type { Sample } from '../queries/sample.ts';

/** Alerts as organisations might have them. */

const ORGANISATIONS = 40;

/** The filters of an alert; each combination is used as often. */
const COMBINATIONS: readonly (readonly FilterName[])[] = [
  ['einheitTyp', 'bundesland'],
  ['einheitTyp', 'landkreis'],
  ['einheitTyp', 'gemeinde'],
  ['plz'],
  ['plzBereich', 'leistungMinKw'],
  ['einheitTyp', 'bundesland', 'leistungMinKw', 'leistungMaxKw'],
  ['betreiberMastrNummer'],
  ['netzbetreiber', 'einheitTyp'],
  ['spannungsebene', 'betriebsStatus', 'bundesland'],
  ['einheitTyp', 'betriebsStatus', 'inbetriebnahmeVon'],
];

const LISTS = /^(einheitTyp|betriebsStatus|bundesland|betreiberMastrNummer|netzbetreiber|spannungsebene)$/;
const NUMBERS = /^leistung/;

const TIME = '2026-01-01T00:00:00.000Z';

/** One alert in twenty asks for everything, one in twenty searches for words, one in five uses a saved filter. */
export async function fillAlerts(store: OrgStore, count: number, sample: Sample, random: Random): Promise<void> {
  for (let organisation = 0; organisation < ORGANISATIONS; organisation++) {
    const { id } = await makeOrganisation(store);
    const alerts: AlertRow[] = [];
    const filters: SavedFilterRow[] = [];
    for (let place = organisation; place < count; place += ORGANISATIONS) {
      const criteria = criteriaOf(place, sample, random);
      const filter = { id: randomUUIDv7(), name: `${place}`, kind: 'table' as const, criteria, view: null };
      const isSaved = place % 5 === 1;
      if (isSaved) filters.push({ ...filter, createdAt: TIME, updatedAt: TIME });
      alerts.push({
        ...{ id: randomUUIDv7(), name: `${place}`, enabled: true, enabledAt: TIME, createdAt: TIME, updatedAt: TIME },
        ...(random.below(2) === 0
          ? { template: 'NEW_UNIT', signals: [] }
          : { template: 'SIGNAL_CHANGE', signals: [...SIGNAL_IDS.slice(0, 2)] }),
        ...(isSaved ? { criteria: null, savedFilterId: filter.id } : { criteria, savedFilterId: null }),
        ...{ fields: [], fault: null, faultySince: null },
      });
    }
    await store.asOperator(async (session) => {
      await session.run(putSavedFilters(id, filters));
      await session.run(putAlerts(id, alerts));
    });
  }
}

function criteriaOf(place: number, sample: Sample, random: Random): Record<string, unknown> {
  if (place % 20 === 7) return {};
  if (place % 20 === 3) return { suche: sample.words(random).join(' ') };
  const names = COMBINATIONS[place % COMBINATIONS.length]!;
  return Object.fromEntries(
    filtersOf(names, sample, random).map(({ parameter, value }) => {
      if (LISTS.test(parameter)) return [parameter, [value]];
      return [parameter, NUMBERS.test(parameter) ? Number(value) : value];
    }),
  );
}
