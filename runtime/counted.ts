/** A number with its noun, as every output has it: `1 row`, `2 rows`, `12,345 rows`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
