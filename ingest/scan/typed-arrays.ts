/**
 * The number at an index of a typed array. There is one function for each type of array, so that each is compiled for it.
 * @throws RangeError beyond its end
 */
export function int32At(numbers: Int32Array, index: number): number {
  const number = numbers[index];
  if (number === undefined) throw new RangeError(`An array of ${numbers.length} numbers has none at ${index}`);
  return number;
}

/** As int32At. */
export function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index];
  if (byte === undefined) throw new RangeError(`An array of ${bytes.length} bytes has none at ${index}`);
  return byte;
}
