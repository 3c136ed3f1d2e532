import { sql } from './statement.ts';

/** Writes one row over itself and answers it: a store that is only read, or whose disk is full, does not. */
export const takesWrites = sql`
  INSERT INTO write_probe (id, at) VALUES (1, now())
  ON CONFLICT (id) DO UPDATE SET at = excluded.at RETURNING id`;
