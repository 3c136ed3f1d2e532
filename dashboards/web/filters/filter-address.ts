import { say } from '../format/language.ts';
import { LEVELS, type RegionOrCountry } from '../regions/region.ts';
import { listText } from '../v1/request.ts';

/** The filters in the address of a page, and the way to change them. */
export interface FilterAddress {
  /** Values of filters by the name of their parameter, as the interface takes them. */
  readonly values: ReadonlyMap<string, string>;
  readonly savedFilterId: string | null;
  readonly eventId: string | null;
  /** Values of the filters by the own portfolio, by parameter. */
  readonly own: ReadonlyMap<string, string>;
  readonly region: RegionOrCountry;
  /** Changes parameters; null removes one. A change of what is listed begins at the first page. */
  change(changes: Changes): void;
}

export type Changes = Readonly<Record<string, string | null>>;

/** Filters by the own portfolio, which the catalogue does not have, with their titles. */
export const OWN_FILTERS: ReadonlyMap<string, string> = new Map([
  ['portfolio', 'Portfolio'],
  ['portfolioRelationType', say('Rolle im Portfolio', 'Role in the portfolio')],
  ['portfolioExternalRef', say('Eigene Kennung', 'Own identifier')],
  ['portfolioCustomField', say('Eigenes Feld', 'Own field')],
]);

/** Parameters that make a region the only one. */
export const regionChanges = (region: RegionOrCountry): Changes =>
  Object.fromEntries(
    LEVELS.map((level) => {
      if (region?.level !== level) return [level, null];
      return [level, level === 'bundesland' ? listText([region.value]) : region.value];
    }),
  );
