import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

/** Searching the texts of an organisation's own fields, through the words that migration 0009 collects. */

/** The keys of words, as texts: numbers of 64 bits. */
export const wordKeysRow = z.strictObject({ keys: z.array(z.string()) });

/**
 * The words of an organisation that contain a term, a row for each term, in order. To plan and begin the statement takes longer
 * than to find that there is none, so one finds those of all terms.
 * @param terms folded, without blanks (sql/query/fold.ts)
 * @param most for each term; its search ends with the next one
 */
export const wordsWith = (organisationId: string, terms: readonly string[], most: number): StoreStatement => sql`
  SELECT array(
    SELECT word_key(word)::text FROM custom_field_words, unnest(string_to_array(words, ' ')) AS word
    WHERE organisation_id = ${organisationId}::uuid AND position(term IN words) > 0 AND position(term IN word) > 0
    LIMIT ${most + 1}) AS keys
  FROM unnest(${terms}::text[]) WITH ORDINALITY AS asked (term, place)
  ORDER BY place`;

export const anyWordRow = z.strictObject({ bucket: z.int() });

/** A block of words of an organisation; none when its own fields have no text. */
export const anyWordOf = (organisationId: string): StoreStatement => sql`
  SELECT bucket FROM custom_field_words WHERE organisation_id = ${organisationId}::uuid LIMIT 1`;

export const fieldIdRow = z.strictObject({ id: z.uuid() });

/** The fields whose texts are found. */
export const fieldsToSearch = (organisationId: string): StoreStatement => sql`
  SELECT id FROM custom_fields WHERE organisation_id = ${organisationId}::uuid AND retired_at IS NULL`;

/**
 * Opens a cursor over the units that have one of these words in one of these fields: once for each of its words and fields.
 * The unit may have left the register. The fields are tested behind the index, which would be read once for each of them.
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

/** A block of words: those of one organisation in one bucket. */
export interface WordBlock {
  readonly organisationId: string;
  readonly bucket: number;
}

export const wordBlockRow = z.strictObject({
  organisationId: z.uuid(),
  bucket: z.int(),
  /** True when no unit has some word of it. */
  hasUnused: z.boolean(),
});

/** The condition that a unit has `word`. Each word takes one look into the index, however many units have it. */
const isUsed = (organisationId: StoreStatement): StoreStatement => sql`(
  SELECT true FROM custom_field_word_units
  WHERE organisation_id = ${organisationId} AND word_key = word_key(word) LIMIT 1) IS NOT NULL`;

/** Selects the next block of any organisation, in at most one row. @param after null = the first block */
export const nextWordBlock = (after: WordBlock | null): StoreStatement => sql`
  SELECT block.organisation_id AS "organisationId", block.bucket, EXISTS (
    SELECT FROM words_of(block.words) AS word WHERE NOT ${isUsed(sql`block.organisation_id`)}) AS "hasUnused"
  FROM (
    SELECT organisation_id, bucket, words FROM custom_field_words
    WHERE (organisation_id, bucket) > (${after?.organisationId ?? NO_ORGANISATION}::uuid, ${after?.bucket ?? 0}::integer)
    ORDER BY organisation_id, bucket LIMIT 1) AS block`;

/** Lies before the ids of all organisations. */
const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000';

/**
 * Removes the words of a block that no unit has. Writers of values must be kept out: one of them may rely on a word that is
 * there.
 */
export const forgetWords = ({ organisationId, bucket }: WordBlock): StoreStatement => sql`
  UPDATE custom_field_words SET words = coalesce((
    SELECT ' ' || string_agg(word, ' ') || ' ' FROM words_of(words) AS word
    WHERE ${isUsed(sql`${organisationId}::uuid`)}), ' ')
  WHERE organisation_id = ${organisationId}::uuid AND bucket = ${bucket}`;
