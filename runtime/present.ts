/**
 * The element of a list at an index that exists by construction.
 * @throws RangeError when there is none
 */
export function itemAt<Item>(list: ArrayLike<Item>, index: number): Item {
  const item = list[index];
  if (item === undefined) throw new RangeError(`A list of ${list.length} has no element ${index}`);
  return item;
}

/**
 * The value of a key that is in the map by construction.
 * @throws RangeError when it is not
 */
export function entryOf<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`A map of ${map.size} has no key ${key}`);
  return value;
}
