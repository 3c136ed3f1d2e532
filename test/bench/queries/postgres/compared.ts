import type { ComparedSystem } from '../compared-system.ts';
import { differing } from '../measure.ts';
import type { Row } from '../question.ts';
import type { LoadedPostgres } from './load.ts';

/** PostgreSQL, asked by SQL on one connection. */
export const comparedPostgres = (postgres: LoadedPostgres): ComparedSystem => ({
  name: 'PostgreSQL',
  described: `PostgreSQL ${postgres.release}, asked by SQL; page: its page without the total`,
  ready: () => postgres.prewarm(),
  async send({ sql, pairs }) {
    const begun = performance.now();
    const rows: (readonly Row[])[] = [];
    let firstMilliseconds = 0;
    for (const statement of sql) {
      rows.push(await postgres.query(statement));
      if (rows.length === 1) firstMilliseconds = performance.now() - begun;
    }
    const milliseconds = performance.now() - begun;
    return { milliseconds, firstMilliseconds, differences: (body) => differing(pairs(body, rows)) };
  },
  service: () => null,
  stop: () => postgres.stop(),
});
