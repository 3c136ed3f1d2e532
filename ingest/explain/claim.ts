import { z } from 'zod';
import { claimStatements, rateStatements } from '../../sql/eeg/support.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';

/**
 * A version keeps the results of the rate rules, but not what they asked of the rate table. The rules run again over the
 * inputs that it keeps.
 */

const claim = z.object({
  /** The day by which rate and law are found; null for a plant that has not begun. */
  ruleDay: z.string().nullable(),
  /** `carrier/art/class` of the rate table; null where it has no class for the plant, or an award decides. */
  series: z.string().nullable(),
  /** The upper end of the plant in the bands. */
  reachKw: z.number().nullable(),
  /** Of wind onshore with two rates. */
  twoStage: z.boolean(),
  yieldPercent: z.number().nullable(),
  /** The law sets the yield of a small plant. */
  yieldFixed: z.boolean(),
  /** Months of the higher rate by yield alone. */
  initialMonths: z.number().nullable(),
  /** Months that the plant had run before the first law. */
  monthsBefore: z.number().nullable(),
  /** The day on which the higher rate ends, though support may end first. */
  initialUntil: z.string().nullable(),
});

const row = z.object({
  line: z.number(),
  validFrom: z.string(),
  validTo: z.string(),
  /** Null = without end. */
  toKw: z.number().nullable(),
  hasRate: z.boolean(),
});

export type Claim = z.infer<typeof claim>;
export type SeriesRow = z.infer<typeof row>;

/**
 * @param plant selects the row of `foerderung`
 * @param day the day of the version, YYYY-MM-DD
 */
export async function readClaim(
  engine: WarehouseConnection,
  plant: string,
  day: string,
): Promise<{ claim: Claim; rows: SeriesRow[] }> {
  for (const sql of rateStatements()) await engine.run(sql);
  await engine.run(
    `CREATE OR REPLACE TEMP TABLE eeg_plants AS
     SELECT *, NOT list_contains(gruende, 'anderer_energietraeger') AS passt, list_contains(gruende, 'einheiten_verschieden') AS verschieden
     FROM (${plant})`,
  );
  for (const sql of claimStatements(day)) await engine.run(sql);
  const [found] = await engine.rows<Record<string, unknown>>(
    `SELECT ruleDay::VARCHAR AS "ruleDay", CASE WHEN NOT listed AND NOT needsAward THEN series END AS series,
       reach::DOUBLE / 1000 AS "reachKw", coalesce(twoStage, false) AS "twoStage", siteYield::DOUBLE / 1000 AS "yieldPercent",
       fixed IS NOT NULL AS "yieldFixed", initialMonths::INTEGER AS "initialMonths",
       CASE WHEN commissioned < ruleDay THEN datediff('month', commissioned, ruleDay)::INTEGER END AS "monthsBefore",
       initialUntil::VARCHAR AS "initialUntil"
     FROM eeg_claims`,
  );
  const read = claim.parse(found);
  const rows =
    read.series === null
      ? []
      : await engine.rows<Record<string, unknown>>(
          `SELECT line::INTEGER AS line, valid_from::VARCHAR AS "validFrom", valid_to::VARCHAR AS "validTo", to_kw::DOUBLE AS "toKw",
             coalesce(tariff, value) IS NOT NULL AS "hasRate"
           FROM eeg_rate_lines WHERE carrier || '/' || art || '/' || class = ${literal(read.series)}
           ORDER BY valid_from, from_kw`,
        );
  return { claim: read, rows: z.array(row).parse(rows) };
}
