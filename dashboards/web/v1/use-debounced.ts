import { useEffect, useState } from 'preact/hooks';

/** A value once it has stayed the same for so long: while somebody types, nothing is asked. */
export function useDebounced<T>(value: T, milliseconds = 200): T {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
