import type { Json } from '@duckdb/node-api';
import type { Tables } from '../support/built.ts';
import type { Subject } from '../support/service.ts';
import type { Expected, Figures } from './expected.ts';

/** The figures of a version in the form in which they are expected. */

type Row = Record<string, Json>;

const asCounts = (rows: readonly Row[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ key, n }) => [String(key), Number(n)]));

/** Records per file and per kind; `verschieden` is known of the files that are used. */
export async function recordsOf(tables: Tables): Promise<Pick<Expected, 'dateien' | 'datensaetze'>> {
  const files = await tables('SELECT datei AS key, gelesen AS n FROM dateien');
  const kinds = await tables(
    `SELECT art, sum(gelesen) AS datensaetze, sum(geladen) AS verschieden FROM dateien GROUP BY art`,
  );
  return {
    dateien: asCounts(files),
    datensaetze: Object.fromEntries(
      kinds.map(({ art, datensaetze, verschieden }) => [
        String(art),
        { datensaetze: Number(datensaetze), verschieden: Number(verschieden) },
      ]),
    ),
  };
}

/**
 * The key figures from the tables. Days outside of 1880 to 2046 are counted of units, not of permits. The export's coordinates are not in them, only
 * the served ones.
 */
export async function figuresOf(tables: Tables, stichtag: string): Promise<Omit<Figures, 'koordinaten'>> {
  const counted = async (key: string, where = 'true', value = 'count(*)') =>
    asCounts(await tables(`SELECT ${key} AS key, ${value} AS n FROM units WHERE ${where} GROUP BY ALL`));
  const one = async (sql: string): Promise<number> => Number((await tables<{ n: Json }>(sql))[0]!.n ?? 0);
  return {
    einheitenGesamt: await one('SELECT count(*) AS n FROM units'),
    proEinheitTyp: await counted('einheitTyp'),
    proBetriebsStatus: await counted(`coalesce(betriebsStatus, 'null')`),
    proBundesland: await counted(`coalesce(bundesland, 'null')`),
    proEinheitTypUndStatus: await counted(`einheitTyp || '|' || coalesce(betriebsStatus, 'null')`),
    bruttoleistungKwProEinheitTyp: await counted('einheitTyp', 'true', 'CAST(sum(bruttoleistungKw) AS DOUBLE)'),
    ohneBruttoleistung: await counted('einheitTyp', 'bruttoleistungKw IS NULL'),
    zeitreihe: (await tables(`
      SELECT
        CAST(year(tag) AS VARCHAR) AS periode,
        einheitTyp AS energietraeger,
        ${['zubau', 'abbau', 'pipeline'].map(seriesColumns).join(',')}
      FROM bundesland_tage
      WHERE tag IS NOT NULL AND serie IN ('inbetriebnahme', 'stilllegung', 'planung')
      GROUP BY ALL ORDER BY ALL`)) as unknown as Figures['zeitreihe'],
    tageAusserhalb1880bis2046: await tables(`
      SELECT feld, roh FROM befunde WHERE befund = 'tag_unplausibel' AND art <> 'EinheitenGenehmigung'`),
    altersstruktur: {
      stichtag,
      kohorten: (await tables(`
        SELECT
          CASE
            WHEN tag > DATE '${stichtag}' - INTERVAL 20 YEAR THEN 'unter20'
            WHEN tag > DATE '${stichtag}' - INTERVAL 25 YEAR THEN '20bis25'
            ELSE 'ab25'
          END AS kohorte,
          einheitTyp AS energietraeger, CAST(sum(anzahl) AS INTEGER) AS anzahl, round(CAST(sum(kw) AS DOUBLE) / 1000, 6) AS mw
        FROM region_tage
        WHERE serie = 'inbetriebnahme' AND statusId = 35 AND tag IS NOT NULL
        GROUP BY ALL`)) as unknown as Figures['altersstruktur']['kohorten'],
      inBetriebOhneInbetriebnahmedatum: await one(
        `SELECT sum(anzahl) AS n FROM bundesland_tage WHERE serie = 'inbetriebnahme' AND statusId = 35 AND tag IS NULL`,
      ),
      inbetriebnahmeNachStichtag: await one(
        `SELECT sum(anzahl) AS n FROM bundesland_tage WHERE serie = 'inbetriebnahme' AND tag > DATE '${stichtag}'`,
      ),
    },
    landkreiseTop20: (await tables(`
      SELECT landkreis, CAST(count(*) AS INTEGER) AS anzahl FROM units WHERE landkreis IS NOT NULL
      GROUP BY ALL ORDER BY anzahl DESC, landkreis LIMIT 20`)) as unknown as Figures['landkreiseTop20'],
    ohneLandkreis: await one('SELECT count(*) AS n FROM units WHERE landkreis IS NULL'),
  };
}

const SERIES: Record<string, string> = { zubau: 'inbetriebnahme', abbau: 'stilllegung', pipeline: 'planung' };

const seriesColumns = (name: string): string => `
  CAST(coalesce(sum(anzahl) FILTER (serie = '${SERIES[name]}'), 0) AS INTEGER) AS ${name}Anzahl,
  round(CAST(coalesce(sum(kw) FILTER (serie = '${SERIES[name]}'), 0) AS DOUBLE) / 1000, 6) AS ${name}Mw`;

/** Our names of the age cohorts. */
const COHORTS: Readonly<Record<string, string>> = { unter20: '0-20', '20bis25': '20-25', ab25: '25+' };

/** Time series and age structure as the service answers them. */
export async function servedFigures(service: Subject): Promise<{ zeitreihe: unknown; kohorten: unknown }> {
  const zeitreihe = await service.get('/v1/region/zeitreihe?periode=jahr');
  const altersstruktur = await service.get('/v1/region/altersstruktur');
  return { zeitreihe: zeitreihe.json.data, kohorten: altersstruktur.json.data };
}

/** The expected cohorts as the service names and sorts them. */
export const servedCohorts = ({ altersstruktur: { kohorten } }: Figures) =>
  kohorten
    .map((row) => ({ ...row, kohorte: COHORTS[row.kohorte]! }))
    .sort((a, b) => (a.kohorte + a.energietraeger < b.kohorte + b.energietraeger ? -1 : 1));
