import { listenForAdmin } from '../../api/admin/socket.ts';
import { openLog } from '../../sql/log.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { readSettings } from '../../sql/settings.ts';

/** The part of a service that the command line talks to, in a process of its own. It says "ready", and stops by SIGTERM. */

const settings = readSettings();
const log = openLog(settings.LOG_LEVEL);
const store = await openOrgStore(settings, log);
await store.migrate('apply');
const admin = await listenForAdmin(store, settings, log);
process.on('SIGTERM', async () => {
  await admin.close();
  await store.close();
  process.exit(0);
});
process.stdout.write('ready\n');
