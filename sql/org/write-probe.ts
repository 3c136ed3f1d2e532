import { sql } from './statement.ts';

/** Overwrites one row and returns it: a store that is read-only, or whose disk is full, fails. */
export const takesWrites = sql`
  INSERT INTO write_probe (id, at) VALUES (1, now())
  ON CONFLICT (id) DO UPDATE SET at = excluded.at RETURNING id`;
