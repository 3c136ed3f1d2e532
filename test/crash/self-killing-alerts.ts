import { appendFileSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { startService } from '../../api/server.ts';
import { openLog } from '../../runtime/log.ts';
import { readSettings } from '../../runtime/settings.ts';
import { sql } from '../../sql/org/statement.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { interceptSteps } from '../support/intercepted-store.ts';

/**
 * A service that kills itself with SIGKILL on the way from a published version to the last attempt, or to the last e-mail (WAY):
 * before each step in its store, once. The file named by SURVIVED has the steps before which a process died already, one a line; every process
 * adds one and dies, until none of its share is left. The file named by SEEN gets all that it came to. It answers the message `progress` with the number of works that are not done.
 */

const WAYS = {
  webhooks: {
    tables: 'alerts|alert_evaluations|evaluations|event_counters|events|webhook_\\w+',
    open: sql`(SELECT count(*) FROM webhook_deliveries WHERE state = 'PENDING')
      + CASE WHEN EXISTS (SELECT FROM webhook_deliveries) THEN 0 ELSE 1 END`,
  },
  mails: {
    tables: 'alert_emails',
    open: sql`(SELECT count(*) FROM alert_emails WHERE next_attempt_at IS NOT NULL)
      + CASE WHEN EXISTS (SELECT FROM alert_evaluations) THEN 0 ELSE 1 END`,
  },
};
const way = process.env.WAY === 'mails' ? WAYS.mails : WAYS.webhooks;

/**
 * Matches the statements that write on the way. To die before or after a statement that only reads is to die after the one
 * that wrote before it, or before the one that will.
 */
const OF_THE_WAY = new RegExp(`\\b(INSERT INTO|UPDATE|DELETE FROM) (${way.tables})\\b`);

const { SURVIVED = '', SEEN = '', SHARE = '' } = process.env;
const [part = 0, parts = 1] = SHARE.split('/').map(Number);
const survived = new Set(readFileSync(SURVIVED, 'utf8').split('\n'));

const settings = readSettings();
const log = await openLog(settings.LOG_LEVEL);
const store = await openOrgStore(settings, log);
await store.migrate('apply');

// Nobody waits for the leases of the process that died, nor for the next attempt.
await store.asOperator(async (session) => {
  await session.run(sql`UPDATE evaluations SET claimed_until = now() WHERE claimed_until > now()`);
  await session.run(sql`UPDATE webhook_deliveries SET claimed_until = NULL, next_attempt_at = least(next_attempt_at, now())
    WHERE state = 'PENDING'`);
  await session.run(sql`UPDATE alert_emails SET claimed_until = NULL`);
});

/** Returns the name of a step: its statement on one line, or the end of the transaction with the last one that wrote. */
function nameOf(step: string, before: readonly string[]): string | null {
  const last = before.findLast((each) => OF_THE_WAY.test(each));
  if (step === 'commit' || step === 'committed') return last === undefined ? null : `${step}: ${onOneLine(last)}`;
  return OF_THE_WAY.test(step) ? onOneLine(step) : null;
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A run tries a share of the steps: those with its number. */
const isMine = (name: string): boolean => [...name].reduce((sum, char) => sum + char.charCodeAt(0), 0) % parts === part;

const service = await startService(
  settings,
  log,
  interceptSteps(store, (step, _driver, before = []) => {
    const name = nameOf(step, before);
    if (name === null) return;
    appendFileSync(SEEN, `${name}\n`);
    if (survived.has(name) || !isMine(name)) return;
    appendFileSync(SURVIVED, `${name}\n`);
    process.kill(process.pid, 'SIGKILL');
  }),
);

process.on('message', async () => {
  const progress = await store.asOperator((session) =>
    session.row(
      z.strictObject({ open: z.int() }),
      sql`SELECT (SELECT count(*) FROM evaluations WHERE ended_at IS NULL)
      + ${way.open} AS open`,
    ),
  );
  process.send?.(progress);
});
process.stdout.write(`Listening on ${service.url}\n`);
