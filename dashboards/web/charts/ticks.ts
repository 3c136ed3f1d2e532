/** Round values from 0 up to a maximum, about so many: 0, 500, 1000, 1500. */
export function ticksTo(most: number, about: number): readonly number[] {
  if (most <= 0) return [0];
  const rough = most / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}
