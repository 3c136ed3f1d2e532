import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../runtime/durable-files.ts';
import { acquireLock } from '../../runtime/lock-file.ts';
import { isMastrNumber } from '../register/mastr-number.ts';
import { Damaged } from './damage.ts';

/**
 * The requests to forget the past of a unit or of an operator, beside the pointer: the service reads them as it reads that, and hides at
 * once what the version that it serves still has; every build applies them.
 */
export const erasureShape = z.strictObject({
  /** MaStR number. */
  nummer: z.string().refine(isMastrNumber),
  /** When it was asked for, RFC 3339, UTC. */
  am: z.string(),
  /** Who asked for it. */
  von: z.string(),
});

export type Erasure = z.infer<typeof erasureShape>;

export const numbersOf = (erasures: readonly Erasure[]): string[] => erasures.map(({ nummer }) => nummer);

/** Within this time every service has read a request. */
export const READ_WITHIN_MS = 2000;

export const erasuresFile = (warehouse: string): string => join(warehouse, 'erasures.json');

/** Lists the requests of a folder, oldest first. @throws Damaged */
export function erasuresIn(warehouse: string): Erasure[] {
  const file = erasuresFile(warehouse);
  if (!existsSync(file)) return [];
  try {
    return z.array(erasureShape).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Damaged(file, 'it is no list of erasures', 'Bring it back from the backup', error);
  }
}

/** Adds a request, also while a version is built. @throws Locked while another one is added */
export function addErasure(warehouse: string, erasure: Erasure): void {
  mkdirSync(warehouse, { recursive: true });
  const release = acquireLock(
    `${erasuresFile(warehouse)}.lock`,
    `erasing ${erasure.nummer}`,
    'Another erasure is at work',
  );
  try {
    writeDurably(erasuresFile(warehouse), `${JSON.stringify([...erasuresIn(warehouse), erasure], null, 1)}\n`);
  } finally {
    release();
  }
}

/** What a version says of the requests that it has applied. */
export const appliedErasure = z.strictObject({ nummer: z.string(), zeilen: z.int() });
