import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

/** Searching the texts of an organisation's own fields, through the words that migration 0009 collects. */

/** The keys of words, as texts: numbers of 64 bits. */
export const wordKeysRow = z.strictObject({ keys: z.array(z.string()) });

/**
 * The words of an organisation that contain a term, in one row.
 * @param term folded, without blanks (sql/query/fold.ts)
 * @param most of them; the search ends with the next one
 */
export const wordsWith = (organisationId: string, term: string, most: number): StoreStatement => sql`
  SELECT array(
    SELECT word_key(word)::text FROM custom_field_words, unnest(string_to_array(words, ' ')) AS word
    WHERE organisation_id = ${organisationId}::uuid AND position(${term} IN words) > 0 AND position(${term} IN word) > 0
    LIMIT ${most + 1}) AS keys`;

export const fieldIdRow = z.strictObject({ id: z.uuid() });

/** The fields whose texts are found. */
export const fieldsToSearch = (organisationId: string): StoreStatement => sql`
  SELECT id FROM custom_fields WHERE organisation_id = ${organisationId}::uuid AND retired_at IS NULL`;

/**
 * Opens a cursor over the units that have one of these words in one of these fields: once for each of its words and
 * fields. The unit may have left the register. The fields are tested behind the index, which would be read once for
 * each of them.
 */
export const openUnitsWithWords = (
  organisationId: string,
  wordKeys: readonly string[],
  fieldIds: readonly string[],
): StoreStatement => sql`
  DECLARE units_with_words NO SCROLL CURSOR FOR
  SELECT mastr_number AS "mastrNumber" FROM custom_field_word_units
  WHERE organisation_id = ${organisationId}::uuid AND word_key = ANY (${wordKeys}::bigint[])
    AND (field_id = ANY (${fieldIds}::uuid[])) IS TRUE`;

export const unitNumberRow = z.strictObject({ mastrNumber: z.string() });

/** The next rows of the cursor. */
export const nextUnitsWithWords: StoreStatement = sql`FETCH 5000 FROM units_with_words`;

export const closeUnitsWithWords: StoreStatement = sql`CLOSE units_with_words`;

export const wordOwnerRow = z.strictObject({ organisationId: z.uuid() });

/** The organisations that have words. */
export const organisationsWithWords: StoreStatement = sql`
  SELECT DISTINCT organisation_id AS "organisationId" FROM custom_field_words`;

/** The buckets of words are numbered from 0 to below this (word_bucket in migration 0009). */
export const WORD_BUCKETS = 4096;

/**
 * Removes the words of some buckets that no unit has any more. Writers of values must be kept out: one of them may rely
 * on a word that is there.
 * @param from the first bucket
 * @param to the first bucket behind them
 */
export const forgetWords = (organisationId: string, from: number, to: number): StoreStatement => sql`
  UPDATE custom_field_words AS w SET words = kept.words
  FROM (
    SELECT organisation_id, bucket, coalesce((
      SELECT ' ' || string_agg(word, ' ') || ' ' FROM words_of(words) AS word
      WHERE EXISTS (SELECT FROM custom_field_word_units AS u
        WHERE u.organisation_id = b.organisation_id AND u.word_key = word_key(word))), ' ') AS words
    FROM custom_field_words AS b
    WHERE organisation_id = ${organisationId}::uuid AND bucket >= ${from} AND bucket < ${to}) AS kept
  WHERE w.organisation_id = kept.organisation_id AND w.bucket = kept.bucket AND length(w.words) > length(kept.words)`;
