import { INVENTED_FILE } from '../../runtime/invented.ts';
import { type Archive, isGenerated } from '../archive/archive.ts';
import { removeRound, type StoredRound, storedRounds, storeRound } from './store.ts';

/**
 * Award lists of the generator, which `ensure` loads beside the sample export. They belong to invented registers only: the
 * first build of a true export takes them away.
 */

const isInvented = (loaded: { readonly quelle: string } | null): boolean =>
  loaded?.quelle.includes(INVENTED_FILE) ?? false;

/** A loaded round without the parts that the generator invented. */
const withoutInvented = (round: StoredRound): StoredRound => ({
  ...round,
  listen: round.listen.filter((list) => !isInvented(list)),
  statistik: isInvented(round.statistik) ? null : round.statistik,
});

/**
 * Takes invented lists and figures out of a warehouse that is about to build a true export. The caller holds the lock.
 * @returns the number of rounds that had any
 */
export async function dropInvented(warehouse: string, archive: Archive): Promise<number> {
  const rounds = storedRounds(warehouse).filter(
    ({ listen, statistik }) => listen.some(isInvented) || isInvented(statistik),
  );
  if (rounds.length === 0 || (await isGenerated(archive))) return 0;
  for (const round of rounds) {
    const rest = withoutInvented(round);
    if (rest.listen.length === 0 && rest.statistik === null) removeRound(warehouse, round.id);
    else storeRound(warehouse, rest);
  }
  return rounds.length;
}
