import type { AwardLink, KeptAward } from './kept.ts';
import { cents, kilowatts, someOf } from './words.ts';

/** Sentences on the awards of a plant: their numbers, where the links come from, and the figures of their rounds. */

/** Each rule of `zuschlag_einheiten.regel` in words: what it found. */
const RULES: Readonly<Record<string, string>> = {
  registernummer: 'the register names the number',
  see_nummer: 'the award list names the unit',
  eeg_nummer: 'the award list names the EEG plant',
  flurstueck: 'award list and unit have a parcel in common',
};

/**
 * @param awards those that count for the plant, newest first, and by number within a round
 * @param links of all units of the plant
 */
export function awardLines(awards: readonly KeptAward[], links: readonly AwardLink[]): string[] {
  const byRound = Map.groupBy(awards, ({ gebotstermin }) => gebotstermin);
  const counted = [...byRound].flatMap(([round, ofRound]) => {
    const ofLinks = links.filter(({ gebotstermin }) => gebotstermin === round);
    const numbers = [...new Set(ofLinks.map(numberOf))].toSorted();
    // A link of a unit whose carrier cannot win in the round does not count, so that a number may be left over.
    const named = numbers.length === ofRound.length ? numbers : [];
    const names = (at: number): string => named[at] ?? numbers.join(' or ');
    const linesOf = (number: string): string[] => linkLines(ofLinks.filter((link) => numberOf(link) === number));
    return [
      ...ofRound.flatMap((award, at) => [awardLine(award, names(at)), ...linesOf(names(at))]),
      ...(named.length === 0 ? numbers.flatMap(linesOf) : []),
    ];
  });
  const others = Map.groupBy(
    links.filter(({ gebotstermin }) => gebotstermin === null || !byRound.has(gebotstermin)),
    numberOf,
  );
  const uncounted = [...others].flatMap(([number, ofNumber]) => [
    `${number}: does not count, as ${
      ofNumber.some(({ gebotstermin }) => gebotstermin !== null)
        ? 'its round is of another law or for other carriers'
        : 'no such round is known'
    }`,
    ...linkLines(ofNumber),
  ]);
  return [...counted, ...uncounted];
}

const numberOf = ({ zuschlagsnummer }: AwardLink): string => zuschlagsnummer ?? 'award without a number';

function linkLines(links: readonly AwardLink[]): string[] {
  const byRule = Map.groupBy(links, ({ regel, zuordnung, sicherheit }) => `${regel}, ${zuordnung}, ${sicherheit}`);
  return [...byRule].map(([rule, ofRule]) => {
    const [{ regel }] = ofRule as [AwardLink];
    const units = [...new Set(ofRule.map(({ mastrNummer }) => mastrNummer))].toSorted();
    return `  linked with ${someOf(units)}: ${RULES[regel] ?? regel} (${rule})`;
  });
}

function awardLine(award: KeptAward, number: string): string {
  const { technologie, datum, bekanntgabe, mittel, hoechstes, mengeKw, einheitspreis, festePraemie } = award;
  const facts = [
    bekanntgabe === null
      ? `day of announcement unknown, ${assumedAnnouncement(datum)} is assumed, two months after the bid date`
      : `announced on ${bekanntgabe}`,
    ...(mengeKw === null ? [] : [`${kilowatts(mengeKw)} awarded`]),
    mittel === null ? 'no mean value is known' : `mean value ${cents(mittel)}`,
    ...(hoechstes === null ? [] : [`highest ${cents(hoechstes)}`]),
    ...(einheitspreis === true ? ['every award has the same value'] : []),
    ...(festePraemie === true ? ['a fixed premium on top of the market price'] : []),
  ];
  return `${number === '' ? '' : `${number}, `}${technologie} of ${datum}: ${facts.join(', ')}`;
}

/** Two months after a bid date, at the latest the last day of the month. */
function assumedAnnouncement(bid: string): string {
  const [year = 0, month = 0, day = 0] = bid.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + 2, 0)).getUTCDate();
  return new Date(Date.UTC(year, month + 1, Math.min(day, last))).toISOString().slice(0, 10);
}
