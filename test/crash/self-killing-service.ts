import { startService } from '../../api/server.ts';
import { openLog } from '../../runtime/log.ts';
import { readSettings } from '../../runtime/settings.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { interceptSteps } from '../support/intercepted-store.ts';

/**
 * A service that is killed, as by kill -9, when it is about to take a step in its store. The message `{ steps: n }` lets
 * it take n more; without one it lives.
 */

let left = Number.POSITIVE_INFINITY;
process.on('message', ({ steps }: { steps: number }) => {
  left = steps;
  process.send?.('as you say');
});

const settings = readSettings();
const log = openLog(settings.LOG_LEVEL);
const store = await openOrgStore(settings, log);
await store.migrate('apply');
const service = await startService(
  settings,
  log,
  interceptSteps(store, (step, driver) => {
    // Keys are looked up now and then, and reads recorded at a time of their own: these are no steps of a write. Nor is
    // the counting of calls where one process has the store for itself: it counts in memory, and writes a little later.
    if (driver === 'autocommit' && (store.exclusive || !step.includes('take_calls'))) return;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    left -= 1;
  }),
);
process.stdout.write(`Listening on ${service.url}\n`);
