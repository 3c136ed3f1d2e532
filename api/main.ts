import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tolerateClosedOutput } from '../runtime/closed-output.ts';
import { setPrivateUmask } from '../runtime/file-permissions.ts';
import { Locked } from '../runtime/lock-file.ts';
import { type Logger, openLog } from '../runtime/log.ts';
import { reportToManager, type ServiceState, serviceManager } from '../runtime/service-manager.ts';
import type { Settings } from '../runtime/settings.ts';
import { allowedConnections, type PoolSizes, poolSizes } from '../sql/org/postgres.ts';
import type { OrgStore } from '../sql/org/store.ts';
import { isFirstStart, openMarkedStore, writeStoreMarker } from '../sql/org/store-marker.ts';
import { demoAtStart, reachableDemo, usableKeyFile } from './admin/demo.ts';
import { settingsOrExit } from './checked-settings.ts';
import { exitOver, exitOverListening } from './operator-errors.ts';
import { NotStarted, startProcesses } from './processes/primary.ts';
import { WorkersRefused } from './processes/share.ts';
import { openKeyring } from './secrets/encryption-keys.ts';
import { reportMissingKeys } from './secrets/missing-keys.ts';
import { signingKey } from './secrets/signing-key.ts';
import { closeStateDir } from './state-dir.ts';

/** `node api/main.ts`: the service in a process of its own, or in several (WORKERS). */

/**
 * An embedded store may be in use by another process, such as the command line, for this long before the start fails.
 */
const STORE_TIMEOUT_MILLISECONDS = 10_000;

async function storeOrExit(
  settings: Settings,
  log: Logger,
  until = Date.now() + STORE_TIMEOUT_MILLISECONDS,
): Promise<OrgStore> {
  try {
    const store = await openMarkedStore(settings, log, { thread: 'own' });
    const ran = await store.migrate('apply');
    if (ran.length > 0) log.info({ ran }, 'organisation store brought up to date');
    return store;
  } catch (error) {
    if (error instanceof Locked && Date.now() < until) {
      await sleep(250);
      return storeOrExit(settings, log, until);
    }
    return exitOver(error);
  }
}

/** Checks what can be checked without the store, before it is opened. */
function checkStateDir(settings: Settings, log: Logger): void {
  try {
    closeStateDir(settings, log);
    signingKey(settings);
    openKeyring(settings).keys();
  } catch (error) {
    exitOver(error);
  }
}

setPrivateUmask();
tolerateClosedOutput();
const settings = settingsOrExit();
const log = await openLog(settings.LOG_LEVEL);
checkStateDir(settings, log);
const store = await storeOrExit(settings, log);
const demo = await demoAtStart(store, settings, isFirstStart(settings, store), log).catch(exitOver);
const openDemo = await reachableDemo(store, settings, log);
const keyFile = await usableKeyFile(store, settings, log).catch(exitOver);
writeStoreMarker(settings, store);
await reportMissingKeys(store, openKeyring(settings), log);

/** The service that this process is, or is the first process of. */
interface Running {
  readonly url: string;
  readonly metricsUrl: string | null;
  close(): Promise<void>;
}

async function startAlone(): Promise<Running> {
  // The first process of several does without what only answers requests.
  const [{ startService }, { bundleSoon }, { listenForAdmin }] = await Promise.all([
    import('./server.ts'),
    import('./app/bundle.ts'),
    import('./admin/socket-server.ts'),
  ]);
  const admin = await listenForAdmin(store, settings, log);
  const service = await startService(settings, log, store).catch((error) => exitOverListening(error, settings));
  bundleSoon(log);
  return {
    ...service,
    async close() {
      await service.close();
      await admin.close();
      await store.close();
    },
  };
}

/** The store is a server: the command line opens it itself, and so does each process. */
async function startTogether(): Promise<Running> {
  await store.close();
  const pools = await poolsOrExit();
  const script = fileURLToPath(new URL('./worker.ts', import.meta.url));
  const givenUp = () => process.exit(1);
  try {
    return await startProcesses({ script, settings, pools, log, givenUp });
  } catch (error) {
    if (error instanceof NotStarted) process.exit(error.exitCode);
    return exitOverListening(error as NodeJS.ErrnoException, settings);
  }
}

async function poolsOrExit(): Promise<PoolSizes> {
  const { ORG_STORE_URL: url, WORKERS: workers } = settings;
  const allowed = await allowedConnections(url).catch(exitOver);
  const pools = poolSizes(allowed, workers);
  if (pools !== null) return pools;
  return exitOver(
    new WorkersRefused(
      `WORKERS=${workers} need more connections than the ${allowed} that the Postgres server allows this user and database. ` +
        'Raise max_connections there, or set fewer WORKERS',
    ),
  );
}

const service = await (settings.WORKERS === 1 ? startAlone() : startTogether());

/** Tells systemd, where that has started the service. */
async function report(state: ServiceState): Promise<void> {
  const fault = await reportToManager(state);
  if (fault !== null) log.warn({ err: fault, state }, 'systemd was not told');
}

// Signals are handled before the output says that the service listens: a reader of that may stop it at once.
let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, async () => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    const reported = report('STOPPING=1');
    await service.close();
    await reported;
    process.exit(0);
  });
}

await report('READY=1');

const key = keyFile === null ? '<key>' : `$(cat ${keyFile})`;
// What a service manager keeps of the output, others read later.
const shown = demo === null || serviceManager() !== null ? null : demo.key;
const aboutDemo =
  demo === null
    ? ''
    : `
The store had no organisation, so there is one now to try things with. Its key${shown === null ? ' is' : ', also'} in ${keyFile}${shown === null ? '' : `:\n  ${shown}`}
`;
// A browser keeps a fragment to itself: the key in it is neither sent nor logged.
const pages = `${service.url}/app${shown === null ? '' : `#key=${shown}`}`;
const warning =
  openDemo === null
    ? ''
    : `
WARNING: others can reach ${openDemo.opened}, and the organisation demo has keys that may do everything:
${openDemo.prefixes.map((prefix) => `  npm run admin -- keys revoke ${prefix}`).join('\n')}
`;
const metrics = service.metricsUrl === null ? '' : `Metrics at ${service.metricsUrl}\n`;
process.stdout.write(`Listening on ${service.url}
${metrics}${warning}${aboutDemo}
Try next:
  ${pages}
  curl -H "Authorization: Bearer ${key}" '${service.url}/v1/region/zeitreihe?periode=jahr&energietraeger=wind'
  curl -H "Authorization: Bearer ${key}" '${service.url}/v1/units?einheitTyp=wind&sort=bruttoleistungKw:desc&limit=3'
  ${service.url}/docs
`);
