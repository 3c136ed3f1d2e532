import { startService } from '../../api/server.ts';
import { openLog } from '../../runtime/log.ts';
import { readSettings } from '../../runtime/settings.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { interceptSteps } from '../support/intercepted-store.ts';

/**
 * A service that kills itself with SIGKILL before a step in its store. The message `{ steps: n }` allows n more steps;
 * without a message it goes on.
 */

let remaining = Number.POSITIVE_INFINITY;
process.on('message', ({ steps }: { steps: number }) => {
  remaining = steps;
  process.send?.('understood');
});

const settings = readSettings();
const log = await openLog(settings.LOG_LEVEL);
const store = await openOrgStore(settings, log);
await store.migrate('apply');
const service = await startService(
  settings,
  log,
  interceptSteps(store, (step, driver) => {
    // Keys are looked up and reads are recorded at times of their own: these are no steps of a write. Neither is the
    // counting of calls where one process has the store for itself: it counts in memory and writes later.
    if (driver === 'autocommit' && (store.exclusive || !step.includes('take_calls'))) return;
    if (remaining === 0) process.kill(process.pid, 'SIGKILL');
    remaining -= 1;
  }),
);
process.stdout.write(`Listening on ${service.url}\n`);
