import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { expect } from 'vitest';
import { execute } from '../../../api/admin/execution/execute.ts';
import { readSettings, type Settings } from '../../../runtime/settings.ts';
import { putPortfolio } from '../../../sql/org/records/portfolio.ts';
import { putUsers } from '../../../sql/org/users.ts';
import { runCommandLine } from '../../api/admin/console.ts';
import { makeKey, makeOrganisation } from '../../support/organisation.ts';
import { withKey } from '../../support/requests.ts';
import type { OwnSubject, Subject } from '../../support/service.ts';
import type { Answer } from './answer.ts';
import { Times } from './times.ts';
import type { Handle, World } from './world.ts';

/** The organisations of one history in a running service: the real things behind the handles of the model. */
export class Reality {
  readonly times = new Times();
  readonly #service: OwnSubject;
  readonly #settings: Settings;
  readonly #ids = new Map<Handle, string>();
  readonly #keys = new Map<Handle, string>();
  /** Cursors that readers keep. */
  readonly cursors = new Map<string, string | null>();
  /** Makes the names of this history its own in the store. */
  readonly #run = randomUUID().slice(0, 8);

  /** @param stateDir where the key that encrypts contacts lies */
  constructor(service: OwnSubject, stateDir: string) {
    this.#service = service;
    this.#settings = readSettings({ STATE_DIR: stateDir, ORG_STORE_URL: 'pglite:memory' });
  }

  /** Makes the organisations of a world that has nothing else yet. */
  async found(world: World): Promise<void> {
    const { store } = this.#service;
    for (const { handle, name, users, portfolio } of world.organisations) {
      const made = await makeOrganisation(store, { externalId: this.externalId(handle), name });
      this.#ids.set(handle, made.id);
      this.#keys.set(handle, (await makeKey(store, made)).text);
      const now = made.createdAt;
      await store.asOperator(async (session) => {
        for (const user of users) {
          const id = randomUUIDv7();
          this.#ids.set(user.handle, id);
          const externalId = user.handle;
          const email = this.address(user.handle);
          const row = {
            id,
            externalId,
            name: user.name,
            email,
            role: 'member' as const,
            createdAt: now,
            updatedAt: now,
          };
          await session.run(putUsers(made.id, [row]));
        }
        const entries = [...portfolio].map(([mastrNumber, relationType]) => ({
          ...{ id: randomUUIDv7(), mastrNumber, relationType: relationType as 'OWNER', externalRefs: {} },
          ...{ createdAt: now, updatedAt: now, removedAt: null },
        }));
        await session.run(putPortfolio(made.id, entries));
      });
    }
  }

  /** The external id of an organisation of this history. */
  externalId = (organisation: Handle): string => `${organisation}-${this.#run}`;

  address = (user: Handle): string => `${user}-${this.#run}@example.org`.toLowerCase();

  id(handle: Handle): string {
    const id = this.#ids.get(handle);
    if (id === undefined) throw new Error(`${handle} has no id yet`);
    return id;
  }

  bind(handle: Handle, id: unknown): void {
    if (typeof id !== 'string') throw new Error(`${handle} was made, but the answer has no id of it`);
    this.#ids.set(handle, id);
  }

  /** Ids in the order of the store, which readers rely on where names and times are equal. */
  byId = (a: { readonly handle: Handle }, b: { readonly handle: Handle }): number =>
    this.id(a.handle) < this.id(b.handle) ? -1 : 1;

  /**
   * Runs a command as `npm run admin --` does, with --json.
   * @param input what it reads from standard input
   * @param store default: that of the service
   * @returns what it answers; null when it refused
   */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
  async command(words: readonly string[], input?: unknown, store = this.#service.store): Promise<any> {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const { code, out, err } = await runCommandLine(
      [...words, '--json'],
      (command, raw) => execute(command, raw, { store, settings: this.#settings, log: pino({ level: 'silent' }) }),
      text,
    );
    if (code === 0) return JSON.parse(out);
    if (code === 5) return null;
    throw new Error(`${words.join(' ')} ended with ${code}: ${err}`);
  }

  /** Runs a command. @returns whether it was done */
  async order(words: readonly string[], input?: unknown): Promise<'done' | 'refused'> {
    return (await this.command(words, input)) === null ? 'refused' : 'done';
  }

  /** Sends a request with the key of an organisation. @param service default: the one of the history */
  ask(
    organisation: Handle,
    path: string,
    body?: object,
    method = body === undefined ? 'GET' : 'POST',
    service: Subject = this.#service,
  ) {
    const headers = { ...withKey(this.#keys.get(organisation) ?? ''), 'Content-Type': 'application/json' };
    return service.send(method, path, body === undefined ? { headers } : { headers, body: JSON.stringify(body) });
  }

  /** Asks what the model has an answer to, and compares. */
  async expectAnswer({ organisation, path, data, meta }: Answer): Promise<void> {
    const { status, json } = await this.ask(organisation, path);
    const expected = this.times.fill({ status: 200, data, meta }, { status, ...json });
    const shown = { status, data: json.data, meta: pick(json.meta, Object.keys(meta)) };
    expect(shown, `${organisation} asks GET ${path}`).toEqual(expected);
  }

  /** Waits until the clock shows another millisecond, so that what changes in the next step shows a later time. */
  async nextMillisecond(): Promise<void> {
    const now = Date.now();
    while (Date.now() <= now) await pause(1);
  }
}

const pick = (object: object | undefined, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => names.includes(name)));
