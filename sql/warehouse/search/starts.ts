/** Returns where each item begins when all stand one after the other, and where the last one ends. */
export function startsOf(lengths: ArrayLike<number>): Uint32Array;
export function startsOf<Numbers extends Uint32Array | Float64Array>(
  lengths: ArrayLike<number>,
  make: (length: number) => Numbers,
): Numbers;
export function startsOf(
  lengths: ArrayLike<number>,
  make: (length: number) => Uint32Array | Float64Array = (length) => new Uint32Array(length),
): Uint32Array | Float64Array {
  const starts = make(lengths.length + 1);
  let end = 0;
  for (let index = 0; index < lengths.length; index++) {
    end += lengths[index] ?? 0;
    starts[index + 1] = end;
  }
  return starts;
}

/** Numbers of which it is not known how many there will be. */
export function growingNumbers() {
  let numbers = new Uint32Array(1024);
  let length = 0;
  return {
    push(number: number): void {
      if (length === numbers.length) {
        const larger = new Uint32Array(2 * length);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[length++] = number;
    },
    /** Keeps the last ones alone. */
    keepLast(count: number): void {
      numbers.copyWithin(0, length - count, length);
      length = count;
    },
    length: () => length,
    all: () => numbers.subarray(0, length),
  };
}
