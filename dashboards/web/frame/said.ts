import { createContext, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';

/** Lets a page say once what several of its parts would say: figures that need one answer fail for one reason. */
export class Said {
  readonly #speakers = new Map<string, Speaker[]>();

  /** @returns a function that leaves */
  enter(text: string, speaker: Speaker): () => void {
    const speakers = this.#speakers.get(text) ?? [];
    this.#speakers.set(text, speakers);
    speakers.push(speaker);
    tellAll(speakers);
    return () => {
      speakers.splice(speakers.indexOf(speaker), 1);
      tellAll(speakers);
    };
  }
}

interface Speaker {
  readonly element: Element;
  /** Is called with true for whoever is to speak. */
  tell(isFirst: boolean): void;
}

/** The uppermost on the page speaks: what is said further down refers to it. */
function tellAll(speakers: Speaker[]): void {
  speakers.sort((one, other) =>
    one.element.compareDocumentPosition(other.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  for (const [place, { tell }] of speakers.entries()) tell(place === 0);
}

export const SaidContext = createContext(new Said());

/** True for the first part of the page that has this to say. @param place the element of the part */
export function useSaysFirst(text: string, place: RefObject<Element | null>): boolean {
  const said = useContext(SaidContext);
  const [isFirst, set] = useState(true);
  useLayoutEffect(
    () => (place.current === null ? undefined : said.enter(text, { element: place.current, tell: set })),
    [said, text, place],
  );
  return isFirst;
}
