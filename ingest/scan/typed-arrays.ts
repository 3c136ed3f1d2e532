/**
 * The number at an index of a typed array. There is one function for each type of array, so that each is compiled for it,
 * and each is small, so that it is inlined into loops.
 * @throws RangeError beyond the end
 */
export function int32At(numbers: Int32Array, index: number): number {
  return numbers[index] ?? beyondEnd(numbers, index);
}

/** As int32At. */
export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? beyondEnd(bytes, index);
}

/** As int32At. */
export function float64At(numbers: Float64Array, index: number): number {
  return numbers[index] ?? beyondEnd(numbers, index);
}

function beyondEnd({ length }: ArrayLike<number>, index: number): never {
  throw new RangeError(`An array of ${length} numbers has none at ${index}`);
}
