import { type BenchRequest, type Condition, independent, type Question } from '../question.ts';
import type { Random } from '../random.ts';
import type { Sample } from '../sample.ts';
import { firstPageSql, totalSql } from './page-sql.ts';
import { samePage } from './pages.ts';

/** Searching by letters and by words. */

/**
 * Names that begin with the text, then those with a word that does, then all others, and behind them actors without units;
 * of equals the larger one; actors and units in turns, as the service answers.
 */
const SEARCH = `WITH treffer AS (
  (SELECT 0 AS art, mastrnummer, anlagenanzahl::double precision AS groesse,
    CASE WHEN gefaltet LIKE $2 THEN 1 WHEN gefaltet ~ $3 THEN 2 ELSE 3 END
      + CASE WHEN anlagenanzahl > 0 THEN 0 ELSE 3 END AS guete
  FROM marktakteure WHERE gefaltet LIKE $1
  ORDER BY guete, anlagenanzahl DESC, mastrnummer LIMIT 21)
  UNION ALL
  (SELECT 1, mastrnummer, bruttoleistungkw,
    CASE WHEN suchname LIKE $2 THEN 1 WHEN suchname ~ $3 THEN 2 ELSE 3 END AS guete
  FROM units WHERE suchname LIKE $1
  ORDER BY guete, bruttoleistungkw DESC NULLS LAST, mastrnummer LIMIT 21)
),
gereiht AS (
  SELECT *, row_number() OVER (PARTITION BY art, guete ORDER BY groesse DESC NULLS LAST, mastrnummer) AS reihe
  FROM treffer
)
SELECT gereiht.art, gereiht.mastrnummer, units.name, units.betreibername, units.ort, units.bundesland, units.latitude,
  units.longitude, units.einheittyp, units.bruttoleistungkw, marktakteure.name AS akteur, marktakteure.marktfunktion
FROM gereiht
LEFT JOIN units ON gereiht.art = 1 AND units.mastrnummer = gereiht.mastrnummer
LEFT JOIN marktakteure ON gereiht.art = 0 AND marktakteure.mastrnummer = gereiht.mastrnummer
ORDER BY guete, reihe, art
LIMIT 20`;

function threeLetters(sample: Sample, random: Random): BenchRequest {
  const letters = sample.beginning(random);
  return {
    path: `/v1/search?q=${letters}`,
    sql: [{ text: SEARCH, values: [`%${letters}%`, `${letters}%`, `\\m${letters}`] }],
    pairs: ({ data }, [rows]) => [
      ['hits', data.length, rows!.length],
      ['first hit', data[0]?.id, rows![0]?.mastrnummer],
    ],
  };
}

function twoWords(sample: Sample, random: Random): BenchRequest {
  const words = sample.words(random);
  const found = words.map(
    (word): Condition =>
      (bind) =>
        `suchtext LIKE ${bind(`%${word}%`)}`,
  );
  return {
    path: `/v1/units?${new URLSearchParams({ suche: words.join(' ') })}`,
    sql: [firstPageSql(found, { field: 'mastrNummer', direction: 'asc' }), totalSql(found)],
    pairs: (body, [page, total]) => [...samePage(body, page!), ['total', body.meta.page.total, total![0]!.total]],
  };
}

export const SEARCH_QUESTIONS: readonly Question[] = [
  { id: 'search', name: 'search of 3 letters', aims: { p50: 8, p99: 40 }, requests: independent(threeLetters) },
  { id: 'suche', name: 'suche of two words', aims: { p50: 15, p99: 80 }, requests: independent(twoWords) },
];
