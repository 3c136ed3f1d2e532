import { openLog } from '../sql/log.ts';
import { openOrgStore } from '../sql/org/store.ts';
import { readSettings, SettingsError } from '../sql/settings.ts';
import { startService } from './server.ts';

/** `node api/main.ts`: the service in a process of its own. */

/** Says why the service cannot start, in one place and without a stack, and gives up. */
function giveUp(message: string, exitCode: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

function settingsOrGiveUp() {
  try {
    return readSettings();
  } catch (error) {
    if (error instanceof SettingsError) giveUp(error.message, 2);
    throw error;
  }
}

const settings = settingsOrGiveUp();
const log = openLog(settings.LOG_LEVEL);

const store = await openOrgStore(settings, log);
await store.migrate('apply');

const service = await startService(settings, log, store).catch((error: NodeJS.ErrnoException) => {
  if (error.syscall !== 'listen') throw error;
  const reason = error.code === 'EADDRINUSE' ? 'is already in use; set PORT to another one' : `(${error.code})`;
  return giveUp(`Cannot listen on ${settings.HOST} port ${settings.PORT}: ${reason}`, 1);
});

process.stdout.write(`Listening on ${service.url}

Try next:
  curl '${service.url}/v1/region/zeitreihe?periode=jahr&energietraeger=wind'
  curl '${service.url}/v1/units?einheitTyp=wind&sort=bruttoleistungKw:desc&limit=3'
  curl '${service.url}/v1/units/fields'
`);

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, async () => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    await service.close();
    await store.close();
    process.exit(0);
  });
}
