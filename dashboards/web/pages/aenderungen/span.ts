import type { LinkFault } from '../../address/link-faults.ts';
import { day, daysFrom } from '../../format/dates.ts';
import { say } from '../../format/language.ts';

/** The days between which the page compares. */
interface Span {
  readonly von: string;
  readonly bis: string;
}

interface Chosen {
  readonly von: string | null;
  readonly bis: string | null;
}

/**
 * The two newest states, unless days are chosen: the one of the newest day, and the one that was published last before it.
 * @param first day of the first state that is known
 * @param newest day of the newest
 */
export function spanOf({ von, bis }: Chosen, first: string, newest: string): Span {
  const end = bis ?? newest;
  const before = daysFrom(end, -1);
  return { von: von ?? (before < first ? first : before), bis: end };
}

/** A day of a calendar as one that states are known of. */
export const within = (chosen: string, first: string, newest: string): string =>
  chosen < first ? first : chosen > newest ? newest : chosen;

/** The days of a link that no state is known of, or that lie in the wrong order. */
export function spanFaults({ von, bis }: Chosen, first: string, newest: string): readonly LinkFault[] {
  const whyNot = (chosen: string): string | null =>
    chosen < first
      ? say(
          `liegt vor dem ersten bekannten Stand, dem vom ${day(first)}`,
          `lies before the first state that is known, that of ${day(first)}`,
        )
      : chosen > newest
        ? say(
            `liegt nach dem neuesten Stand, dem vom ${day(newest)}`,
            `lies after the newest state, that of ${day(newest)}`,
          )
        : null;
  const faults = Object.entries({ von, bis }).flatMap(([name, value]) => {
    const why = value === null ? null : whyNot(value);
    return value === null || why === null ? [] : [{ name, value, why }];
  });
  if (faults.length > 0 || von === null || von <= (bis ?? newest)) return faults;
  return [{ name: 'von', value: von, why: say('liegt nach „bis“', 'lies after “bis”') }];
}
