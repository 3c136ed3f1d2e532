/** The index of the first of some ascending numbers that is not below another one; behind the last when all are. */
export function indexIn(numbers: Float64Array, number: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((numbers[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Finds the places of numbers among ascending ones. Numbers of units are spread evenly, so a number is near the place that its
 * distance from the first one suggests: buckets of four numbers on average say where to look.
 * @param begin the place of the first number
 */
export function placesOf(numbers: Float64Array, begin: number): (number: number) => number {
  const first = numbers[0] ?? 0;
  const buckets = Math.max(1, numbers.length >>> 2);
  const width = ((numbers.at(-1) ?? 0) - first + 1) / buckets;
  const bucketOf = (number: number): number => Math.floor((number - first) / width);
  /** The place of the first number of each bucket. */
  const begins = new Uint32Array(buckets + 2);
  for (let place = 0; place < numbers.length; place++) {
    const next = bucketOf(numbers[place] ?? 0) + 1;
    begins[next] = place + 1;
  }
  for (let bucket = 1; bucket < begins.length; bucket++) {
    begins[bucket] = Math.max(begins[bucket] ?? 0, begins[bucket - 1] ?? 0);
  }
  return (number) => {
    const bucket = bucketOf(number);
    let [low, high] = [begins[bucket] ?? 0, begins[bucket + 1] ?? 0];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    if (numbers[low] !== number) throw new Error(`No unit has the number ${number}`);
    return begin + low;
  };
}
