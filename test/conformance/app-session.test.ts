import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem, NO_KEY } from '../support/requests.ts';
import { type Subject, serveFixture } from '../support/service.ts';

/** The session of the pages under /app: a cookie stands for a key where the pages themselves ask, and nowhere else. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const IN_SESSION = { ...NO_KEY, 'X-App-Session': 'app' };

const signIn = (key: string) =>
  service.send('POST', '/app/session', {
    headers: { ...NO_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ key }),
  });

/** Signs in. @returns the header that a browser would send from then on */
async function signedIn(): Promise<{ Cookie: string }> {
  const { headers } = await signIn(service.key);
  return { Cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
}

test('signing in sets a cookie that no script reads and no other site sends, without the key in it', async () => {
  const { status, headers, text } = await signIn(service.key);
  expect(status).toBe(200);
  const cookie = headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^app-session-[0-9a-f]{8}=[\w-]+; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(headers.get('cache-control')).toBe('no-store');
  for (const said of [cookie, text, Buffer.from(cookie.split('=')[1] ?? '', 'base64url').toString()])
    expect(said).not.toContain(service.key.slice(0, 12));
});

test('the cookie is the key of who signed in, with the header of the pages', async () => {
  const cookie = await signedIn();
  const { json } = await service.get('/v1/me', { ...IN_SESSION, ...cookie });
  const own = await service.get('/v1/me');
  expect(json.data.key).toEqual(own.json.data.key);
});

test.each([
  ['without the header, as other sites send it', (cookie: string) => ({ ...NO_KEY, Cookie: cookie })],
  ['altered', (cookie: string) => ({ ...IN_SESSION, Cookie: `${cookie.slice(0, -3)}AAA` })],
  ['cut off', (cookie: string) => ({ ...IN_SESSION, Cookie: cookie.slice(0, 60) })],
  ['empty', (cookie: string) => ({ ...IN_SESSION, Cookie: `${cookie.split('=')[0]}=` })],
  ['of another name', (cookie: string) => ({ ...IN_SESSION, Cookie: `other=${cookie.split('=')[1]}` })],
  ['with no cookie at all', () => IN_SESSION],
])('a cookie %s is no key', async (_, headersOf) => {
  const { Cookie } = await signedIn();
  expectProblem(await service.get('/v1/me', headersOf(Cookie)), 401, 'MISSING_API_KEY');
});

test('a key that is sent counts before the cookie, also where it is refused', async () => {
  const cookie = await signedIn();
  const wrong = await service.get('/v1/me', { ...IN_SESSION, ...cookie, Authorization: 'Bearer mds_test_x' });
  expectProblem(wrong, 401, 'INVALID_API_KEY');
});

test('the older variant takes no cookie', async () => {
  const headers = { 'X-App-Session': 'app', ...(await signedIn()) };
  const refused = await fetch(`${service.url}/api/v1/units?limit=1`, { headers });
  expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('X-API-Key')]);
});

test('signing out takes the cookie back', async () => {
  const { headers, json } = await service.send('DELETE', '/app/session', { headers: NO_KEY });
  expect(json.data).toEqual({ signedIn: false });
  expect(headers.get('set-cookie')).toMatch(/^app-session-[0-9a-f]{8}=; Max-Age=0; Path=\//);
});

test('a text that cannot be a key is refused in words, and not looked up', async () => {
  const refused = await signIn('mds_test_00000000_nonsense');
  expectProblem(refused, 400, 'INVALID_BODY');
  expect(refused.headers.get('set-cookie')).toBeNull();
});
