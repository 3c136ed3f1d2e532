import type { ComparedSystem } from '../compared-system.ts';
import { differing } from '../measure.ts';
import type { Row, Sql } from '../question.ts';
import type { LoadedPostgres } from './load.ts';

/** PostgreSQL, asked by SQL on one connection. */
export function comparedPostgres(postgres: LoadedPostgres): ComparedSystem {
  const timed = async (statements: readonly Sql[]) => {
    const begun = performance.now();
    const rows: (readonly Row[])[] = [];
    for (const statement of statements) rows.push(await postgres.query(statement));
    return { milliseconds: performance.now() - begun, rows };
  };
  return {
    name: 'PostgreSQL',
    described:
      `PostgreSQL ${postgres.release}, asked by SQL, with materialised views of what the service has counted beforehand; ` +
      'plain: over the rows alone, with the total of every page',
    ready: () => postgres.prewarm(),
    canAnswer: ({ sql }) => sql.length > 0,
    async send({ sql, pairs }) {
      const { milliseconds, rows } = await timed(sql);
      return { milliseconds, differences: (body) => differing(pairs(body, rows)) };
    },
    sendPlain: async ({ sql, plainSql }) => (await timed(plainSql ?? sql)).milliseconds,
    restartCold: () => postgres.restartCold(),
    service: () => null,
    stop: () => postgres.stop(),
  };
}
