import { pino } from 'pino';
import { restoreBackup } from '../../sql/org/backup-restore.ts';
import { writeBackup } from '../../sql/org/backup-write.ts';
import type { Connection, Transact } from '../../sql/org/driver.ts';
import { openPglite } from '../../sql/org/pglite.ts';
import { openPostgres } from '../../sql/org/postgres.ts';

/**
 * A backup or a restore that kills itself with SIGKILL before the first statement that contains the given text, or
 * before `COMMIT`.
 */

const [what = '', url = '', file = '', last = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const driver = await (url.startsWith('pglite:')
  ? openPglite(url.slice('pglite:'.length), log)
  : openPostgres(url, log));

const say = (text: string) => {
  if (text.includes(last)) process.kill(process.pid, 'SIGKILL');
};

const killable = (connection: Connection): Connection => ({
  async query(text, values) {
    say(text);
    return connection.query(text, values);
  },
  async exec(text) {
    say(text);
    return connection.exec(text);
  },
});

await driver.maintenance(async (transact) => {
  const inside: Transact = (work) =>
    transact(async (connection) => {
      const result = await work(killable(connection));
      say('COMMIT');
      return result;
    });
  if (what === 'restore') await restoreBackup(inside, file, true);
  else await inside((connection) => writeBackup(connection, file));
});
