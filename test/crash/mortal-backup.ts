import { pino } from 'pino';
import { restoreBackup } from '../../sql/org/backup/restore.ts';
import { writeBackup } from '../../sql/org/backup/write.ts';
import { openPglite } from '../../sql/org/pglite.ts';
import { openPostgres } from '../../sql/org/postgres.ts';
import type { Transact, Wire } from '../../sql/org/wire.ts';

/**
 * A backup or a restore that is killed, as by kill -9, when it is about to say its n-th statement; without a number it
 * lives and tells how many it said.
 */

const [what = '', url = '', file = '', most = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const door = await (url.startsWith('pglite:') ? openPglite(url.slice('pglite:'.length), log) : openPostgres(url, log));

let said = 0;
const step = () => {
  if (String(said) === most) process.kill(process.pid, 'SIGKILL');
  said += 1;
};

const mortal = (wire: Wire): Wire => ({
  async query(text, values) {
    step();
    return wire.query(text, values);
  },
  async exec(text) {
    step();
    return wire.exec(text);
  },
});

await door.unhurried(async (transact) => {
  const inside: Transact = (work) => transact((wire) => work(mortal(wire)));
  if (what === 'restore') await restoreBackup(inside, file, true);
  else await inside((wire) => writeBackup(wire, file));
});
await door.close();
process.stdout.write(String(said));
