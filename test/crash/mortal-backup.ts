import { pino } from 'pino';
import { restoreBackup } from '../../sql/org/backup/restore.ts';
import { writeBackup } from '../../sql/org/backup/write.ts';
import { openPglite } from '../../sql/org/pglite.ts';
import { openPostgres } from '../../sql/org/postgres.ts';
import type { Transact, Wire } from '../../sql/org/wire.ts';

/**
 * A backup or a restore that is killed, as by kill -9, when it is about to say a statement that has this in it, or
 * `COMMIT`.
 */

const [what = '', url = '', file = '', last = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const door = await (url.startsWith('pglite:') ? openPglite(url.slice('pglite:'.length), log) : openPostgres(url, log));

const say = (text: string) => {
  if (text.includes(last)) process.kill(process.pid, 'SIGKILL');
};

const mortal = (wire: Wire): Wire => ({
  async query(text, values) {
    say(text);
    return wire.query(text, values);
  },
  async exec(text) {
    say(text);
    return wire.exec(text);
  },
});

await door.unhurried(async (transact) => {
  const inside: Transact = (work) =>
    transact(async (wire) => {
      const result = await work(mortal(wire));
      say('COMMIT');
      return result;
    });
  if (what === 'restore') await restoreBackup(inside, file, true);
  else await inside((wire) => writeBackup(wire, file));
});
