import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertShare } from '../../../sql/org/shares.ts';
import { shareFixture } from '../../support/shares.ts';
import { type Console, openConsole } from './console.ts';

/** The commands `shares list` and `shares revoke`. */

let admin: Console;
let id: string;
let other: string;
beforeAll(async () => {
  admin = await openConsole();
  const organisation = await admin.json('organisations create werk --name Werk');
  other = (await admin.json('organisations create fremd --name Fremd')).id;
  const share = shareFixture();
  id = share.id;
  await admin.store.asOperator((session) => session.run(insertShare(organisation.id, share)));
});
afterAll(() => admin.close());

test('lists the links of an organisation, without their addresses', async () => {
  const listed = await admin.json('shares list werk');
  expect(listed).toMatchObject([
    { id, name: 'Zubau in Bayern', page: 'zeitreihe', endsOn: '2027-01-31', revokedAt: null },
  ]);
  expect((await admin.run('shares list werk')).out).toContain('region=bundesland%3ABayern');
  expect((await admin.run('shares list fremd')).out).toBe('No public links\n');
});

test('revokes one, and none of another organisation', async () => {
  expect(await admin.refusal(`shares revoke fremd ${id}`)).toContain(`fremd has no public link ${id}`);
  await admin.refusal(`shares revoke werk ${randomUUID()}`);
  expect((await admin.json('shares list werk'))[0].revokedAt).toBeNull();
  const before = admin.log.length;
  expect((await admin.run(`shares revoke werk ${id}`)).out).toBe('Revoked Zubau in Bayern of werk.\n');
  expect(admin.log.slice(before)).toMatchObject([{ command: 'shares revoke', organisation: 'werk', id }]);
  const [{ revokedAt }] = await admin.json('shares list werk');
  expect(revokedAt).not.toBeNull();
  await admin.run(`shares revoke werk ${id}`);
  expect((await admin.json('shares list werk'))[0].revokedAt).toBe(revokedAt);
});

test('a key that is revoked says which links it leaves, and how to end them', async () => {
  const { prefix } = await admin.json('keys create fremd --name Presse --scopes all');
  const links = [{ endsOn: '2999-12-31' }, { endsOn: '2999-12-31' }, { endsOn: '2001-01-01' }];
  await admin.store.asOperator(async (session) => {
    for (const link of links) await session.run(insertShare(other, shareFixture({ keyPrefix: prefix, ...link })));
  });
  expect((await admin.run(`keys revoke ${prefix}`)).out).toBe(
    `Revoked Presse (${prefix}) of fremd.\nPublic links that it made hold on: 2\nTo end them: npm run admin -- shares list fremd, then shares revoke\n`,
  );
});
