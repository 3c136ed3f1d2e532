import { putPortfolio } from '../../../sql/org/records/portfolio.ts';
import type { Console } from './console.ts';

/** Organisations that connect to each other by the command line. */

export const UNITS = ['SEE900000000001', 'SEE900000000002', 'SEE900000000003'] as const;

/** The refusal of a change of a connection that has ended. */
export const ENDED = /has ended \((DECLINED|REVOKED), .*never comes back; invite anew/;

/**
 * External ids of three organisations, and what they do; the first has {@link UNITS}, the last of which it has removed.
 */
export type Partners = Awaited<ReturnType<typeof makePartners>>;

let made = 0;

export async function makePartners(admin: Console) {
  made += 1;
  const number = made;
  const names = { a: `a-${number}`, b: `b-${number}`, c: `c-${number}` };

  /** Puts units into the portfolio of an organisation; the third of several is one that was removed. */
  async function take(name: string, units: readonly string[], relationType: 'OWNER' | 'LESSOR'): Promise<void> {
    const { organisation } = await admin.json(`organisations show ${name}`);
    const at = '2026-11-01T00:00:00.000Z';
    const rows = units.map((mastrNumber, place) => ({
      ...{ id: crypto.randomUUID(), mastrNumber, relationType, externalRefs: {}, createdAt: at, updatedAt: at },
      removedAt: place === 2 ? at : null,
    }));
    await admin.store.asOperator((session) => session.run(putPortfolio(organisation.id, rows)));
  }

  const invite = async (from = names.a, to = names.b): Promise<string> =>
    (await admin.json(`connections invite ${from} ${to}`)).data.id;

  async function connected(): Promise<string> {
    const id = await invite();
    await admin.json(`connections accept ${names.b} ${id}`);
    return id;
  }

  /** Makes a connection that has ended. */
  async function ended(status: 'DECLINED' | 'REVOKED'): Promise<string> {
    const id = await (status === 'DECLINED' ? invite() : connected());
    await admin.json(
      status === 'DECLINED' ? `connections decline ${names.b} ${id}` : `connections revoke ${names.a} ${id}`,
    );
    return id;
  }

  const show = (name: string, id: string) => admin.json(`connections show ${name} ${id}`);

  for (const [letter, name] of Object.entries(names)) {
    await admin.json(['organisations', 'create', name, '--name', `Werk ${letter} ${number}`]);
  }
  await admin.json(`users create ${names.b} anna --name Anna --email anna-${number}@b.example --role owner`);
  await take(names.a, UNITS, 'OWNER');
  return { ...names, number, take, invite, connected, ended, show };
}
