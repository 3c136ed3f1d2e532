import { useRef } from 'preact/hooks';

/**
 * A finger cannot point without touching: the first tap on a place tells what it is, the second one opens it. A mouse and
 * the keyboard open at once.
 * @returns whether a click on the place of this id opens it
 */
export function useSecondTap(): (event: MouseEvent, id: string) => boolean {
  const last = useRef<string | null>(null);
  return (event, id) => {
    const isTouch = 'pointerType' in event && event.pointerType === 'touch';
    const opens = !isTouch || last.current === id;
    last.current = opens ? null : id;
    return opens;
  };
}
