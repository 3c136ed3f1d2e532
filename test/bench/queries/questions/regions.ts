import { CARRIERS } from '../../../../sql/catalogue/carriers.ts';
import { whereAll } from '../../../../sql/query/conditions.ts';
import { type BenchRequest, bindings, independent, type Question, type Sql } from '../question.ts';
import type { Random } from '../random.ts';
import { SERIES } from './counted.ts';

/** The time series, nationwide and of one area of postal codes. */

interface Span {
  readonly carriers: readonly string[];
  readonly von: string | null;
  readonly bis: string | null;
}

/** All carriers or some, all time or some years. */
function anySpan(random: Random): Span {
  const from = 1990 + random.below(30);
  const spans = [
    { von: null, bis: null },
    { von: `${from}-01-01`, bis: null },
    { von: `${from}-03-15`, bis: `${from + 5}-03-14` },
  ];
  return { carriers: random.of([CARRIERS, random.some(1 + random.below(3), CARRIERS)]), ...random.of(spans) };
}

function seriesSql({ carriers, von, bis }: Span, plz: string | null): Sql {
  const { values, bind } = bindings();
  const all = carriers.length === CARRIERS.length;
  const parts = SERIES.map(({ name, day, condition }) => {
    const conditions = [
      condition,
      ...(all ? [] : [`einheittyp = ANY(${bind(carriers)}::text[])`]),
      ...(von === null ? [] : [`${day} >= ${bind(von)}`]),
      ...(bis === null ? [] : [`${day} <= ${bind(bis)}`]),
      ...(plz === null ? [] : [`plz LIKE ${bind(`${plz}%`)}`]),
    ];
    // Months of days need no time zone, and one would cost time.
    return `SELECT '${name}' AS serie, date_trunc('month', ${day}::timestamp) AS periode, einheittyp,
  count(*) AS anzahl, sum(bruttoleistungkw) AS kw
FROM units WHERE ${conditions.join(' AND ')} GROUP BY 2, 3`;
  });
  const text = `SELECT periode, einheittyp, ${COLUMNS}
FROM (${parts.join('\nUNION ALL\n')}) AS reihen GROUP BY 1, 2 ORDER BY 1, 2`;
  return { text, values };
}

const COLUMNS = SERIES.map(
  ({ name }) =>
    `sum(anzahl) FILTER (WHERE serie = '${name}') AS ${name}, sum(kw) FILTER (WHERE serie = '${name}') AS ${name}_kw`,
).join(', ');

/** The same as it was counted beforehand: by month where no month is cut, as the service does. */
function countedSeriesSql({ carriers, von, bis }: Span, plz: string | null): Sql {
  const { values, bind } = bindings();
  const wholeMonths = von === null || (bis === null && von.endsWith('-01'));
  const view = plz !== null ? 'plz_tage' : wholeMonths ? 'deutschland_monate' : 'deutschland_tage';
  const conditions = [
    ...(carriers.length === CARRIERS.length ? [] : [`einheittyp = ANY(${bind(carriers)}::text[])`]),
    ...(von === null ? [] : [`tag >= ${bind(von)}`]),
    ...(bis === null ? [] : [`tag <= ${bind(bis)}`]),
    ...(plz === null ? [] : [`plz LIKE ${bind(`${plz}%`)}`]),
  ];
  const text = `SELECT date_trunc('month', tag::timestamp) AS periode, einheittyp, ${COLUMNS}
FROM ${view} ${whereAll(conditions)} GROUP BY 1, 2 ORDER BY 1, 2`;
  return { text, values };
}

function series(span: Span, plz: string | null): BenchRequest {
  const query = new URLSearchParams({ periode: 'monat', energietraeger: span.carriers.join(',') });
  for (const [name, value] of Object.entries({ von: span.von, bis: span.bis }))
    if (value !== null) query.set(name, value);
  if (plz !== null)
    for (const [name, value] of [
      ['ebene', 'plz'],
      ['region', plz],
    ] as const)
      query.set(name, value);
  return {
    path: `/v1/region/zeitreihe?${query}`,
    sql: [countedSeriesSql(span, plz)],
    plainSql: [seriesSql(span, plz)],
    pairs: ({ data }, [rows]) => [
      ['rows', data.length, rows!.length],
      ['units commissioned', sum(data, 'zubauAnzahl'), sum(rows!, 'zubau')],
      ['MW commissioned', sum(data, 'zubauMw'), sum(rows!, 'zubau_kw') / 1000],
      ['units decommissioned', sum(data, 'abbauAnzahl'), sum(rows!, 'abbau')],
      ['units planned', sum(data, 'pipelineAnzahl'), sum(rows!, 'pipeline')],
    ],
  };
}

const sum = (rows: readonly Readonly<Record<string, unknown>>[], name: string): number =>
  rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);

export const REGION_QUESTIONS: readonly Question[] = [
  {
    id: 'zeitreihe',
    name: 'zeitreihe nationwide, by month',
    aims: { p50: 5, p99: 20 },
    requests: independent((_, random) => series(anySpan(random), null)),
  },
  {
    id: 'zeitreihe-plz',
    name: 'zeitreihe of one plz prefix, by month',
    aims: { p50: 4, p99: 15 },
    requests: independent((sample, random) => {
      const { plz } = sample.unitWith(random, 'plz');
      return series(anySpan(random), plz!.slice(0, 2 + random.below(4)));
    }),
  },
];
