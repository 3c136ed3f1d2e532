import { say } from '../format/language.ts';
import type { ReferenceValue, ReferenceValues, UnitList } from '../v1/answers.ts';
import type { Loading } from '../v1/use-answer.ts';
import { fold } from './fold.ts';
import { districtsToName, type Hit, hitsOf, ranked, stateKey } from './hits.ts';
import type { Level } from './region.ts';
import type { Typed } from './typed.ts';

/** Looks places up in the interface, with as few requests as possible. */

export interface Places {
  /** The typed text, as it was read. */
  readonly typed: Typed;
  readonly hits: readonly Hit[];
  /** There are others, which more letters would find. */
  readonly hasMore: boolean;
}

/** As many as the interface answers at once. */
const MOST_VALUES = 100;
const MOST_HITS = 30;
const MOST_POSTAL_CODES = 8;
/** Towns of one name in one state are told apart by their districts, each of which costs a request. */
const MOST_DISTRICTS_NAMED = 6;
const DIGITS = { landkreis: 5, gemeinde: 8, plz: 5 } as const;
const COUNTRY = say('Deutschland', 'Germany');

type SearchedLevel = Exclude<Level, 'bundesland'>;

/** A whole answer: longer texts find nothing that is not in it. */
interface WholeAnswer {
  readonly level: SearchedLevel;
  readonly text: string;
  readonly values: readonly ReferenceValue[];
}

/** One for each search field: it knows what was found for the texts before. */
export class PlaceFinder {
  readonly #whole: WholeAnswer[] = [];

  async find(typed: Typed, { ask }: Loading): Promise<Places> {
    const states = (await ask<ReferenceValues>({ path: '/v1/reference/bundesland' })).data;
    const country: Hit = { region: null, name: COUNTRY, detail: say('alle Einheiten', 'all units'), count: null };
    if (typed.kind === 'nothing') {
      // The sea, which is no state, comes last.
      const isSea = ({ value }: ReferenceValue): number => (stateKey(value) === null ? 1 : 0);
      const byName = states.toSorted((a, b) => isSea(a) - isSea(b) || a.value.localeCompare(b.value, 'de'));
      const none = { landkreis: [], gemeinde: [] };
      return { typed, hits: [country, ...hitsOf({ bundesland: byName, ...none }, new Map())], hasMore: false };
    }
    return typed.kind === 'digits'
      ? this.#findByDigits(typed, states, ask)
      : this.#findByName(typed, states, country, ask);
  }

  async #findByName(
    typed: Extract<Typed, { kind: 'name' }>,
    states: readonly ReferenceValue[],
    country: Hit,
    ask: Loading['ask'],
  ): Promise<Places> {
    const { name, state } = typed;
    const [districts, municipalities] = await Promise.all([
      this.#values('landkreis', name, ask),
      this.#values('gemeinde', name, ask),
    ]);
    const isThere = (place: ReferenceValue) => fold(place.bundesland ?? '').startsWith(state);
    const found = {
      bundesland: state === '' ? states.filter(({ value }) => fold(value).includes(name)) : [],
      landkreis: districts.values.filter(isThere),
      gemeinde: municipalities.values.filter(isThere),
    };
    const hits = hitsOf(found, await this.#districtNames(found.gemeinde, ask));
    const all = ranked(
      ['deutschland', 'germany'].some((country) => country.startsWith(name)) ? [country, ...hits] : hits,
      name,
    );
    return shortened(typed, all, districts.isCut || municipalities.isCut);
  }

  async #findByDigits(
    typed: Extract<Typed, { kind: 'digits' }>,
    states: readonly ReferenceValue[],
    ask: Loading['ask'],
  ): Promise<Places> {
    const { digits } = typed;
    const values = async (level: SearchedLevel, from: number) =>
      digits.length < from || digits.length > DIGITS[level]
        ? { values: [], isCut: false }
        : this.#values(level, digits, ask);
    const [districts, municipalities, codes] = await Promise.all([
      values('landkreis', 2),
      values('gemeinde', 5),
      values('plz', 1),
    ]);
    const found = {
      bundesland: states.filter(({ value }) => stateKey(value) === digits),
      landkreis: districts.values,
      gemeinde: municipalities.values,
    };
    const places = hitsOf(found, new Map()).map((hit) => ({ ...hit, detail: `${hit.detail}, ${keyOf(hit)}` }));
    const single = codes.values.slice(0, MOST_POSTAL_CODES).map(
      ({ value, count }): Hit => ({
        region: { level: 'plz', value },
        name: value,
        detail: say('Postleitzahl', 'Postal code'),
        count,
      }),
    );
    const prefix: Hit[] =
      digits.length < DIGITS.plz && codes.values.length > 0
        ? [
            {
              region: { level: 'plz', value: digits },
              name: `${digits}…`,
              detail: say(
                `alle Postleitzahlen, die mit ${digits} beginnen`,
                `all postal codes that begin with ${digits}`,
              ),
              count: codes.isCut ? await countOf(digits, ask) : sum(codes.values),
            },
          ]
        : [];
    return shortened(typed, [...prefix, ...places, ...single], codes.values.length > MOST_POSTAL_CODES);
  }

  /** Values that contain a name, or that begin with digits. */
  async #values(
    level: SearchedLevel,
    text: string,
    ask: Loading['ask'],
  ): Promise<{ values: readonly ReferenceValue[]; isCut: boolean }> {
    const isDigits = /^\d+$/.test(text);
    const fits = (place: ReferenceValue): boolean =>
      isDigits ? (place.schluessel ?? place.value).startsWith(text) : searched(place).includes(text);
    const known = this.#whole.find((answer) => answer.level === level && text.includes(answer.text));
    if (known !== undefined) return { values: known.values.filter(fits), isCut: false };
    const { data } = await ask<ReferenceValues>({
      path: `/v1/reference/${level}`,
      query: { q: text, limit: MOST_VALUES },
    });
    if (data.length < MOST_VALUES) this.#whole.push({ level, text, values: data });
    const values = data.filter(fits);
    // Those that begin with the text come first: one that does not is behind all of them.
    return { values, isCut: data.length === MOST_VALUES && (!isDigits || values.length === data.length) };
  }

  async #districtNames(
    municipalities: readonly ReferenceValue[],
    ask: Loading['ask'],
  ): Promise<ReadonlyMap<string, string>> {
    const keys = districtsToName(municipalities).slice(0, MOST_DISTRICTS_NAMED);
    const found = await Promise.all(keys.map((key) => districtName(key, ask)));
    return new Map(found.flatMap((name, index) => (name === null ? [] : [[keys[index] ?? '', name]])));
  }
}

/** The name of a district by its key; null = it has none. */
export async function districtName(key: string, ask: Loading['ask']): Promise<string | null> {
  const { data } = await ask<ReferenceValues>({ path: '/v1/reference/landkreis', query: { q: key, limit: 5 } });
  return data.find(({ schluessel }) => schluessel === key)?.name ?? null;
}

/** The text in which the interface searches for a name. */
const searched = ({ value, schluessel, name }: ReferenceValue): string =>
  fold(value === schluessel ? (name ?? value) : value);

const sum = (values: readonly ReferenceValue[]): number => values.reduce((total, { count }) => total + count, 0);

/** Units under the beginning of a postal code. */
async function countOf(digits: string, ask: Loading['ask']): Promise<number | null> {
  const { meta } = await ask<UnitList>({ path: '/v1/units', query: { plz: digits, fields: 'mastrNummer', limit: 1 } });
  return meta.page.total ?? null;
}

const keyOf = ({ region }: Hit): string => {
  if (region === null) return '';
  return say(
    `Schlüssel ${region.level === 'bundesland' ? stateKey(region.value) : region.value}`,
    `Key ${region.level === 'bundesland' ? stateKey(region.value) : region.value}`,
  );
};

const shortened = (typed: Typed, hits: readonly Hit[], isCut: boolean): Places => ({
  typed,
  hits: hits.slice(0, MOST_HITS),
  hasMore: isCut || hits.length > MOST_HITS,
});
