import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { refused } from '../../runtime/command-line/exit.ts';
import { flag } from '../../runtime/command-line/parameter.ts';
import type { Logger } from '../../runtime/log.ts';
import { serviceManager } from '../../runtime/service-manager.ts';
import type { Settings } from '../../runtime/settings.ts';
import { type ApiKeyText, makeApiKey, parseApiKey } from '../../sql/org/api-key.ts';
import { revokeKey } from '../../sql/org/keys.ts';
import { type OrganisationRow, organisationOf, organisationRow } from '../../sql/org/organisations.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore, Session } from '../../sql/org/store.ts';
import { storeKey } from '../keys/store-key.ts';
import { type AdminContext, adminCommand } from './common/admin-command.ts';
import { reserveReplacement } from './common/private-file.ts';
import { SCOPE_NAMES } from './common/schemas.ts';
import { DEMO, DEMO_PARTNER, demoDocuments, OWNER } from './demo-documents.ts';
import { applyDocument } from './transfer/apply-document.ts';
import { readDocument } from './transfer/document.ts';
import { keysWithUse } from './users-and-keys.ts';

/**
 * The demo is an organisation that has booked everything, with a key that may do everything, and a partner without a
 * key.
 */

/** Serialises instances that start at the same moment: the number of an advisory lock of the store. */
const LOCK = 7_310_244_003;

/** The key as text, readable only for the user of this process. */
const keyFile = ({ STATE_DIR }: Settings): string => join(STATE_DIR, 'demo-key');

/** Names and addresses of this machine that no other reaches, as HOST and URLs have them. */
const LOOPBACK = /^((.+\.)?localhost|127(\.[0-9]{1,3}){3}|\[?::1\]?)$/;

/** Returns the setting by which others than this machine may reach a service; null when none does. */
function openedBy({ HOST, BASE_URL }: Settings): string | null {
  if (!LOOPBACK.test(HOST)) return `HOST=${HOST}`;
  return LOOPBACK.test(new URL(BASE_URL).hostname) ? null : `BASE_URL=${BASE_URL}`;
}

/**
 * Makes the demo when a service starts for somebody who tries it: not under a service manager and not where others
 * reach it, unless DEMO=on wants it there. Where there were organisations before, these were lost, and a key that may
 * do everything would not help.
 * @param firstStart false when this store was served before
 */
export async function demoAtStart(
  store: OrgStore,
  settings: Settings,
  firstStart: boolean,
  log: Logger,
  manager: string | null = serviceManager(),
): Promise<{ key: string } | null> {
  if (settings.DEMO === 'off') return null;
  const opened = openedBy(settings);
  const reasons = [
    firstStart ? [] : ['this is not the first start with this store'],
    manager === null || settings.DEMO === 'on' ? [] : [`${manager} runs it; DEMO=on makes one there too`],
    opened === null || settings.DEMO === 'on' ? [] : [`others can reach ${opened}; DEMO=on makes one there too`],
  ].flat();
  if (reasons.length === 0) return ensureDemo(store, settings, log);
  if (await store.asOperator(hasNone)) {
    log.warn(
      { store: store.place, reasons },
      'the store has no organisation, and no demo is made; npm run admin -- organisations create makes one, restore brings them back',
    );
  }
  return null;
}

/**
 * Reports a demo that others than this machine can reach: its key may do everything, and lies in a file.
 * @returns the setting that opens the service and the demo's live keys by prefix; null when there are none
 */
export async function reachableDemo(
  store: OrgStore,
  settings: Settings,
  log: Logger,
): Promise<{ opened: string; prefixes: readonly string[] } | null> {
  const opened = openedBy(settings);
  if (opened === null) return null;
  const prefixes = await store.asOperator(async (session) => {
    const found = await findDemo(session);
    return found === null
      ? []
      : (await keysWithUse(session, found.id)).filter(({ state }) => state === 'live').map(({ prefix }) => prefix);
  });
  if (prefixes.length === 0) return null;
  log.warn({ opened, prefixes }, 'the organisation demo has keys that may do everything, and others can reach it');
  return { opened, prefixes };
}

/**
 * @returns the file of the demo's key; null when it holds none of this store, which is reported when it holds another one
 */
export async function usableKeyFile(store: OrgStore, settings: Settings, log?: Logger): Promise<string | null> {
  const path = keyFile(settings);
  const kept = keyInFile(settings);
  const isUsable = await store.asOperator(async (session) => {
    const present = await findDemo(session);
    return present !== null && kept !== null && isLive(session, present.id, kept);
  });
  if (isUsable) return path;
  if (existsSync(path)) {
    log?.warn(
      { file: path, store: store.place },
      'the file holds no key of this store: it is left over from another one, or was revoked; npm run admin -- demo --new-key replaces it',
    );
  }
  return null;
}

/**
 * Makes the demo in a store without any organisation. When several instances start at once, one of them makes it.
 * @returns the key, which is also in STATE_DIR/demo-key; null when there was an organisation
 */
export async function ensureDemo(store: OrgStore, settings: Settings, log?: Logger): Promise<{ key: string } | null> {
  if (!(await store.asOperator(hasNone))) return null;
  const former = keyInFile(settings);
  const key = await makeDemo(store, settings, hasNone);
  if (key === null) return null;
  if (former !== null) {
    log?.warn({ file: keyFile(settings), prefix: former.prefix }, 'the key of another store in the file was replaced');
  }
  return { key };
}

const hasNone = async (session: Session): Promise<boolean> =>
  (await session.row(z.object({}), sql`SELECT 1 FROM organisations LIMIT 1`)) === null;

/**
 * Makes the missing parts of the demo and a key.
 * @param isNeeded called under the lock, since another instance may have created the demo meanwhile
 * @returns the key; null when it was not needed
 */
async function makeDemo(
  store: OrgStore,
  settings: Settings,
  isNeeded: (session: Session) => Promise<boolean>,
): Promise<string | null> {
  const made = makeApiKey('test');
  const former = keyInFile(settings);
  const file = reserveReplacement(keyFile(settings));
  try {
    const done = await store.asOperator(async (session) => {
      await session.run(sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`);
      if (!(await isNeeded(session))) return false;
      const { id } = (await findDemo(session)) ?? (await makeOrganisations(session, { settings }));
      if (former !== null && (await isLive(session, id, former))) await session.run(revokeKey(former.prefix));
      const draft = { name: 'Demo', scopes: SCOPE_NAMES, createdBy: OWNER, expiresAt: null };
      await storeKey(session, id, made, draft);
      return true;
    });
    if (!done) return null;
    file.write(`${made.text}\n`);
    return made.text;
  } finally {
    file.discard();
  }
}

const findDemo = (session: Session): Promise<OrganisationRow | null> =>
  session.row(organisationRow, organisationOf(DEMO));

/** Makes the organisation and its partner (demo-documents.ts). */
async function makeOrganisations(session: Session, context: AdminContext): Promise<OrganisationRow> {
  const partner = await session.row(organisationRow, organisationOf(DEMO_PARTNER));
  for (const document of demoDocuments(partner === null)) {
    await applyDocument(session, readDocument(JSON.stringify(document)), context);
  }
  const made = await findDemo(session);
  if (made === null) throw new Error('The document of the demo did not make it');
  return made;
}

/** Null when there is no file or it holds no key. */
function keyInFile(settings: Settings): ApiKeyText | null {
  try {
    return parseApiKey(readFileSync(keyFile(settings), 'utf8').trim());
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw refused(`The key of the demo cannot be read; move away what is in its place: ${message}`);
  }
}

/** Returns true when the demo has this key: the file may belong to an earlier store. */
const isLive = async (session: Session, demo: string, { prefix }: ApiKeyText): Promise<boolean> =>
  (await keysWithUse(session, demo)).some((key) => key.prefix === prefix && key.state === 'live');

export const demo = adminCommand({
  name: 'demo',
  summary: 'make an organisation to try things with, and a key that may do everything',
  description:
    'The organisation is called demo and has booked everything. Its key is shown once, and kept in STATE_DIR/demo-key, ' +
    'which only you can read. --new-key makes another one, and ends the one that the file held.',
  examples: ['', '--new-key'],
  parameters: { newKey: flag('make another key, although there is one') },
  async run(store, { newKey = false }, { settings }) {
    const key = await makeDemo(store, settings, async (session) => newKey || (await findDemo(session)) === null);
    if (key !== null) return { organisation: DEMO, key, file: keyFile(settings) };
    return { organisation: DEMO, key, file: await usableKeyFile(store, settings) };
  },
  format({ key, file }) {
    if (key !== null) return key;
    if (file !== null) return `The organisation ${DEMO} is there, and its key is in ${file}`;
    return `The organisation ${DEMO} is there, but no key of it is kept here. To make one: npm run admin -- demo --new-key`;
  },
  note: ({ key, file }) => (key === null ? '' : `The key of ${DEMO} is not shown again; it is also in ${file}`),
  logFields: ({ key, organisation }) => (key === null ? null : { organisation, prefix: parseApiKey(key)?.prefix }),
});
