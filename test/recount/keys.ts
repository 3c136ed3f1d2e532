import { readFileSync } from 'node:fs';

/** What is known of a municipality key, by the lists of the product. */

const rows = (name: string): string[][] =>
  readFileSync(new URL(`../../data/reference/places/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

export interface KnownKey {
  readonly isFormer: boolean;
  readonly isUnknown: boolean;
  /** Of a former key, the one that is meant today; null where its area was divided. */
  readonly today: string | null;
}

/** Tells of keys; null is none. */
export function knownKeys(): (key: unknown) => KnownKey {
  const current = new Set(rows('gemeinden.csv').flatMap(([key = '']) => (key.length === 8 ? [key] : [])));
  const former = new Map(rows('former-keys.csv').map(([key = '', today = '']) => [key, today]));
  const divided = new Set(rows('divided-keys.csv').flat());
  return (key) => {
    const text = String(key);
    const isListed = key === null || current.has(text);
    const isFormer = !isListed && former.has(text);
    return {
      isFormer,
      isUnknown: !isListed && !isFormer,
      today: isFormer && !divided.has(text) ? (former.get(text) ?? null) : null,
    };
  };
}
