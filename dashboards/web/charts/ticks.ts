/** Round values from 0 up to a maximum, about so many: 0, 500, 1000, 1500. */
export function ticksTo(most: number, about: number): readonly number[] {
  if (most <= 0) return [0];
  const step = stepOf(most, about);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => rounded(index * step));
}

/** Round values around all that an axis has to show, about so many, from the one below the least to the one above the most. */
export function ticksAround(least: number, most: number, about: number): readonly number[] {
  const size = most - least;
  if (!(size > 0)) return least === 0 ? [0, 1] : ticksAround(Math.min(0, least), Math.max(0, least), about);
  const step = stepOf(size, about);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.ceil(most / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step));
}

function stepOf(size: number, about: number): number {
  const rough = size / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
}

const rounded = (value: number): number => Number(value.toPrecision(12));

/**
 * Moves labels apart that would cover each other, as little as it takes.
 * @param wanted places in ascending order (px)
 * @param gap between two labels
 * @param bottom no label lies beneath it, as long as they fit between it and 0
 */
export function spread(wanted: readonly number[], gap: number, bottom: number): readonly number[] {
  const places = [...wanted];
  for (let at = 1; at < places.length; at++) places[at] = Math.max(places[at] ?? 0, (places[at - 1] ?? 0) + gap);
  let limit = bottom;
  for (let at = places.length - 1; at >= 0; at--) {
    places[at] = Math.min(places[at] ?? 0, limit);
    limit = (places[at] ?? 0) - gap;
  }
  return places;
}
