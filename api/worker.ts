import { tolerateClosedOutput } from '../runtime/closed-output.ts';
import { setPrivateUmask } from '../runtime/file-permissions.ts';
import { openLog } from '../runtime/log.ts';
import { openOrgStore } from '../sql/org/store.ts';
import type { KeyNews } from './access/peers.ts';
import { bundleSoon } from './app/bundle.ts';
import { settingsOrExit } from './checked-settings.ts';
import { addProcessMetrics, openMetrics } from './metrics/metrics.ts';
import { exitOver, exitOverListening } from './operator-errors.ts';
import type { FromWorker, ToWorker } from './processes/messages.ts';
import { shareOf } from './processes/share.ts';
import { startService } from './server.ts';

/** One of several processes of a service (processes/primary.ts). The first one has prepared store and STATE_DIR. */

setPrivateUmask();
tolerateClosedOutput();

const say = (message: FromWorker): void => {
  if (process.connected) process.send?.(message);
};

const begin = Promise.withResolvers<Extract<ToWorker, { kind: 'begin' }>>();
const metrics = openMetrics();
const ears: ((news: KeyNews) => void)[] = [];
// A process that has opened nothing yet can be left at once.
let stop = (): void => process.exit(0);

process.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'begin':
      return begin.resolve(message);
    case 'news':
      for (const hear of ears) hear(message.news);
      return;
    case 'metrics':
      return tellMetrics(message.id);
    case 'stop':
      return stop();
  }
});

/** Without an answer the first process shows the last values that it knows. */
async function tellMetrics(id: number): Promise<void> {
  try {
    say({ kind: 'metrics', id, values: await metrics.registry.getMetricsAsJSON() });
  } catch (error) {
    log.error({ err: error }, 'the metrics cannot be read');
  }
}

const { worker, pools } = await begin.promise;
const all = settingsOrExit();
const settings = shareOf(all);
const log = await openLog(settings.LOG_LEVEL, { worker });
if (all.METRICS_PORT !== null) addProcessMetrics(metrics.registry);

const store = await openOrgStore(settings, log, { pools }).catch(exitOver);
const service = await startService(settings, log, store, {
  metrics,
  // Evaluations and deliveries are shared by claims; a job has none, and one process is enough for it.
  runsJobs: worker === 1,
  peers: { tell: (news) => say({ kind: 'news', news }), listen: (hear) => ears.push(hear) },
}).catch((error) => exitOverListening(error, settings));

let stopping = false;
stop = async () => {
  if (stopping) return;
  stopping = true;
  await service.close();
  await store.close();
  process.exit(0);
};

// A signal may reach all processes of the service at once. Sent to this one alone, it ends as well, and is replaced.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop());

say({ kind: 'ready', url: service.url });
bundleSoon(log);
