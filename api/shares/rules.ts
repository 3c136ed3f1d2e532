import { splitList } from '../wire/parameters.ts';

/** What the requests of views are made of. */

/** What the values of a parameter may be: this one, one of these, or what the function takes. */
export type Rule = string | readonly string[] | ((value: string) => boolean);

export const LEVELS = ['bundesland', 'landkreis', 'gemeinde', 'plz'] as const;

export interface Place {
  readonly level: (typeof LEVELS)[number];
  readonly value: string;
}

/** The country as a whole is null. */
export type Area = Place | null;

export const listOf = (text: string): readonly string[] => {
  const items = splitList(text);
  return 'fault' in items ? [] : items;
};

export const ANY = (): boolean => true;
export const IN_OPERATION = { betriebsStatus: 'In Betrieb' } as const;
