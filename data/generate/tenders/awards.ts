/**
 * The awards of a world: which plants won in which round, and awards of which nothing is registered yet. Register and award lists
 * are written from the same awards, so they fit each other.
 *
 * A round has as many places as it had awards in fact. The place of a plant is drawn from the plant, so plants that are
 * registered later change nothing about the others.
 */

import { entryOf, itemAt } from '../../../runtime/present.ts';
import { baseOf, bits, roll } from '../world/random.ts';
import { type Region, regionFor } from '../world/regions.ts';
import { type Imprint, STREAM, type World } from '../world/world.ts';
import { ROUNDS, type Round } from './calendar.ts';
import { type Claim, claimsOf, type Link, type Winner } from './claims.ts';
import { drawPlots, type Plot, registeredPlace } from './plots.ts';
import { awardNumber, ghostNumber, registeredNumbers } from './spellings.ts';

/** A plant that won, and how it can be found. */
interface AwardedPlant extends Winner {
  readonly link: Link;
}

export interface Award {
  readonly round: Round;
  /** Number of the bid in its round, from 1. */
  readonly sequence: number;
  readonly base: number;
  region: Region;
  plots: readonly Plot[];
  /** Whole kW. */
  kilowatts: number;
  plants: readonly AwardedPlant[];
  /** Register numbers of units that left the register or were never exported; the list names them all the same. */
  readonly strangers: readonly string[];
}

export interface RoundAwards {
  readonly round: Round;
  /** Number of bids. */
  readonly bids: number;
  /** By sequence number. */
  readonly awards: readonly Award[];
}

export interface AwardBook {
  readonly rounds: readonly RoundAwards[];
  /** By `imprintKey` and `chpImprintKey`. */
  readonly imprints: ReadonlyMap<number, Imprint>;
}

/** Share of the places of a round that plants can take; of the others nothing is registered. */
const TAKEN_SHARE = 0.75;
const TRIES = 5;

/**
 * Draws all awards of a world whose lists are published on its day.
 * @param perRound awards of every round, in place of the published number
 */
export function drawAwards(world: World, perRound?: number): AwardBook {
  const rounds = ROUNDS.flatMap((round, i) =>
    round.published <= world.day ? [emptyRound(world, baseOf(world.seed, STREAM.award, i), round, perRound)] : [],
  );
  const imprints = new Map<number, Imprint>();
  for (const claim of claimsOf(world)) fill(rounds, claim, imprints);
  for (const { round, awards } of rounds) setVolumes(round, awards);
  return { rounds, imprints };
}

/** A round with as many awards as were published, all without a plant. Of every seven bids about one loses. */
function emptyRound(world: World, base: number, round: Round, perRound?: number): RoundAwards {
  const count =
    perRound ??
    round.figures.awards ??
    (round.technology === 'KWK' ? 4 + (bits(base, 1) % 9) : 12 + (bits(base, 1) % 40));
  const bids = Math.max(count, round.figures.bids ?? Math.ceil((count * 7) / 6));
  const places = Array.from({ length: bids }, (_, i) => i + 1)
    .sort((a, b) => bits(base, 1000 + a) - bits(base, 1000 + b))
    .slice(0, count)
    .sort((a, b) => a - b);
  const wind = round.technology === 'WIND';
  const awards = places.map((sequence): Award => {
    const own = baseOf(base, STREAM.award + 1, sequence);
    const region = regionFor(wind ? 'wind' : 'solar', roll(own, 1));
    return {
      round,
      sequence,
      base: own,
      region,
      plots: drawPlots(own, region),
      kilowatts: 0,
      plants: [],
      strangers: strangersOf(world, own),
    };
  });
  return { round, bids, awards };
}

/** Keys of units that no world has. */
const BEYOND = 20_000_000_000;

function strangersOf(world: World, base: number): string[] {
  const count = roll(base, 8) < 0.8 ? 1 + (bits(base, 9) % 3) : 0;
  return Array.from({ length: count }, (_, i) => world.series('SEE').of(BEYOND + bits(base, 60 + i)));
}

/** Gives the plants of a claim one award, some of them a second one of another round. */
function fill(rounds: readonly RoundAwards[], claim: Claim, imprints: Map<number, Imprint>): void {
  const { base, technology, from, to, winners } = claim;
  const possible = rounds.filter(
    ({ round: { technology: other, day } }) => other === technology && day >= from && day <= to,
  );
  const won: Award[] = [];
  const start = bits(base, 930);
  const wanted = roll(base, 931) < 0.06 ? 2 : 1;
  for (let i = 0; i < possible.length && won.length < wanted; i++) {
    const award = freePlace(base, itemAt(possible, (start + i) % possible.length));
    if (award !== undefined) won.push(award);
  }
  const [first] = won;
  if (first === undefined) {
    const typed = from < 17_000 || roll(base, 932) > 0.16 ? '' : ghostNumber(base);
    if (typed !== '') for (const { key } of winners) imprints.set(key, { numbers: typed, place: '' });
    return;
  }
  const plots = drawPlots(baseOf(base, STREAM.award, 2), claim.region);
  const links = new Map(winners.map((winner) => [winner, claim.link(winner, first.round)]));
  won.forEach((award, i) => {
    award.region = claim.region;
    award.plots = plots;
    award.plants = winners.map((winner) => {
      const link = entryOf(links, winner);
      // Both awards name the same parcels, so parcels do not tell them apart.
      return { ...winner, link: i > 0 && link !== 'register' ? 'none' : link };
    });
  });
  const place = claim.atParcels ? registeredPlace(base, plots) : '';
  const numbers = won.map(({ round, sequence }) => awardNumber(round, sequence));
  for (const winner of winners) {
    const known = entryOf(links, winner) === 'register';
    imprints.set(winner.key, { numbers: known ? registeredNumbers(base, numbers) : '', place });
  }
}

/** A place that no plant has; the place is drawn, with the next ones as a substitute. */
function freePlace(base: number, { awards }: RoundAwards): Award | undefined {
  for (let i = 0; i < Math.min(TRIES, awards.length); i++) {
    const award = itemAt(awards, (bits(base, 933) + i) % awards.length);
    if (award.plants.length === 0 && roll(award.base, 2) < TAKEN_SHARE) return award;
  }
  return undefined;
}

/** Least and most kW of an award without a plant, where the round's volume does not decide. */
const USUAL = new Map([
  ['WIND', [3000, 25_000]],
  ['SOLAR_DACH', [760, 5000]],
  ['BIOMASSE', [150, 2500]],
  ['KWK', [1000, 5000]],
]);

/**
 * Awarded volumes: the capacity of the plants that won; the rest of the round's published volume is shared out among the
 * other awards.
 */
function setVolumes({ technology, figures }: Round, awards: readonly Award[]): void {
  const [least = 1000, most = 15_000] = USUAL.get(technology) ?? [];
  for (const award of awards)
    award.kilowatts =
      award.plants.length > 0
        ? award.plants.reduce((sum, { kilowatts }) => sum + kilowatts, 0)
        : least + Math.floor(roll(award.base, 3) * (most - least));
  const free = awards.filter(({ plants }) => plants.length === 0);
  const taken = awards.reduce((sum, { plants, kilowatts }) => sum + (plants.length > 0 ? kilowatts : 0), 0);
  const rest = (figures.awarded ?? 0) - taken;
  if (rest < 100 * free.length) return;
  const weight = free.reduce((sum, { kilowatts }) => sum + kilowatts, 0);
  let left = rest;
  free.forEach((award, i) => {
    award.kilowatts = i === free.length - 1 ? left : Math.floor((rest * award.kilowatts) / weight);
    left -= award.kilowatts;
  });
}
