import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../support/fixture.ts';
import type { OwnSubject } from '../../support/service.ts';
import { serveObserved } from '../prometheus/observed.ts';
import { hasPrometheus, type Prometheus, startPrometheus } from '../prometheus/server.ts';
import { BOARDS, metricsTargets, panelsOf, readBoard } from './board.ts';
import { inPrometheus } from './variables.ts';

/** Prometheus evaluates every query of the boards and every alert rule over a service that it reads. */

const RULES = new URL('../../../dashboards/prometheus/alerts.yaml', import.meta.url).pathname;

/** These panels show nothing, or less, over a service that is well and a few seconds old; each has a text for that. */
const QUIET = new Set([
  ...[
    'Alerts that fire',
    'Server errors',
    'Failed statements',
    'Attempts',
    'Time of an attempt',
    'Events',
    'Alerts by outcome',
  ],
  ...['Time of an evaluation', 'Connections closed as they came', 'Garbage collection', 'Compressions'],
  ...['Runs of jobs', 'Last run of each job', 'Step that failed', 'Operations in this range'],
]);

describe.skipIf(!hasPrometheus())('Prometheus', () => {
  const folder = temporaryFolder();
  let service: OwnSubject;
  let prometheus: Prometheus;

  beforeAll(async () => {
    service = await serveObserved();
    prometheus = await startPrometheus(join(folder.path, 'prometheus'), service.metricsUrl!, RULES);
    const calls = 'rate(energy_http_request_duration_seconds_count[1m]) > 0';
    // A rate needs two samples of a series.
    await vi.waitFor(
      async () => {
        for (const path of ['/v1/units?limit=2', '/v1/units/SEE000000000000', '/v1/region/zeitreihe']) {
          await service.get(path);
        }
        await service.get('/v1/me', { Authorization: 'Bearer wrong' });
        expect((await prometheus.query(calls)).length).toBeGreaterThan(2);
        expect((await prometheus.query('ALERTS')).length).toBeGreaterThan(0);
      },
      { timeout: 60_000, interval: 500 },
    );
  });

  afterAll(async () => {
    await prometheus?.stop();
    await service?.stop();
    folder.remove();
  });

  const panels = BOARDS.map(readBoard).flatMap((board) =>
    panelsOf(board)
      .filter((panel) => metricsTargets(panel).length > 0)
      .map((panel) => [`${board.title}: ${panel.title}`, panel] as const),
  );

  test.each(panels)('%s', async (_, panel) => {
    for (const { expr, instant } of metricsTargets(panel)) {
      const series = await prometheus.query(inPrometheus(expr), instant === true ? undefined : 5);
      if (!QUIET.has(panel.title)) expect(series.length, expr).toBeGreaterThan(0);
    }
  });

  test('evaluates every alert rule; only the night that failed is told', async () => {
    const { groups } = parse(readFileSync(RULES, 'utf8')) as {
      groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
    };
    const firing: string[] = [];
    for (const { alert, expr } of groups.flatMap(({ rules }) => rules)) {
      if ((await prometheus.query(expr)).length > 0) firing.push(alert);
    }
    expect(firing).toEqual(['DataOld', 'NightFailed']);
  });
});
