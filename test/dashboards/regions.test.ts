import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fold as foldOfPages } from '../../dashboards/web/regions/fold.ts';
import { places, readRegion, regionText } from '../../dashboards/web/regions/region.ts';
import { readTyped } from '../../dashboards/web/regions/typed.ts';
import { fold } from '../../sql/query/fold.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';

describe('a text that somebody types to find a place', () => {
  test('is compared as the interface compares it', () => {
    for (const text of ['München', '  Groß-Gerau ', 'SCHWÄBISCH\u00a0GMÜND', 'Ωdeßa\t1', 'İstanbul']) {
      expect(foldOfPages(text)).toBe(fold(text));
    }
  });

  test('is a name, perhaps with its state, or the beginning of a key or postal code', () => {
    expect(readTyped('Neustadt, Hes')).toEqual({ kind: 'name', name: 'neustadt', state: 'hes' });
    expect(readTyped('Landkreis München')).toEqual({ kind: 'name', name: 'munchen', state: '' });
    expect(readTyped('PLZ 79')).toEqual({ kind: 'digits', digits: '79' });
    expect(readTyped('a')).toEqual({ kind: 'nothing' });
  });
});

test('regions stand in the address, also those whose name has a comma', () => {
  const three = places(3);
  const chosen = ['landkreis:09162', 'gemeinde:Neustadt, Hessen', 'plz:79'].map(readRegion);
  expect(three.read('landkreis:09162,gemeinde:Neustadt, Hessen,plz:79')).toEqual(chosen);
  for (const broken of ['plz:79,plz:1,plz:2,plz:3', 'plz:79,erdteil:Europa', 'plz:7x', '']) {
    expect([broken, three.read(broken)]).toEqual([broken, undefined]);
  }
  expect(three.write(chosen.filter((region) => region !== null))).toBe(
    'landkreis:09162,gemeinde:Neustadt, Hessen,plz:79',
  );
  expect(['', 'erdteil:Europa', 'plz:'].map(readRegion)).toEqual([null, null, null]);
  expect(regionText({ level: 'plz', value: '79' })).toBe('plz:79');
});

describe.skipIf(!hasBrowser)('the field for a region (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const field = () => dashboard.page.getByRole('combobox', { name: 'Region' });
  const options = () => dashboard.page.locator('.hits [role=option]');
  /** Empties the field, types, and waits until the hits of exactly this text are there. */
  const typeText = async (text: string): Promise<readonly string[]> => {
    await field().fill(text);
    await dashboard.page.locator('[role=listbox][aria-busy=false]').waitFor({ state: 'attached' });
    return options().allInnerTexts();
  };
  const chosen = (): string | null => new URL(dashboard.page.url()).searchParams.get('region');

  test('offers the country and its states before anything is typed, with the units of each', async () => {
    await dashboard.visit('/altersstruktur');
    const { data } = await dashboard.api('/v1/reference/bundesland');
    await field().click();
    await expect.poll(() => options().count()).toBe(data.length + 1);
    const texts = (await options().allInnerTexts()).join('\n');
    for (const { value, count } of data) expect(texts).toMatch(new RegExp(`${value}\\n+\\S.*\\n+${count}\\sEinheit`));
    await dashboard.page.keyboard.press('Escape');
    expect(await options().count()).toBe(0);
  });

  test('is operated by keyboard: hits are counted aloud, arrows choose, Enter takes, Escape leads back to the country', async () => {
    const { page } = dashboard;
    const [{ name }] = (await dashboard.api('/v1/reference/gemeinde?q=en&limit=1')).data;
    const texts = await typeText(foldOfPages(name).toUpperCase());
    expect(texts.length).toBeGreaterThan(0);
    expect(await page.locator('.combobox [role=status]').innerText()).toBe(`${texts.length} Treffer`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const active = await field().getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true');
    expect(await dashboard.violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await settled(page);
    expect(chosen()).toMatch(/^(landkreis|gemeinde|bundesland):/);
    await expect.poll(() => field().inputValue()).toContain(name);
    await page.keyboard.press('Escape');
    expect(chosen()).toBeNull();
    await expect.poll(() => field().inputValue()).toBe('Deutschland');
    await page.goBack();
    expect(chosen()).not.toBeNull();
    await page.getByRole('button', { name: 'Region: zurück zu Deutschland' }).click();
    expect(chosen()).toBeNull();
  });

  test('takes the first hit when Enter comes before the hits', async () => {
    await field().fill('bayern');
    await dashboard.page.keyboard.press('Enter');
    await expect.poll(chosen).toBe('bundesland:Bayern');
    expect(await field().inputValue()).toBe('Bayern');
  });

  test('tells places of one name apart, and names the chosen one so', async () => {
    const place = (level: string, schluessel: string, name: string, value = schluessel) => ({
      value,
      count: 1,
      schluessel,
      name,
      bundesland: level,
    });
    const answer = (...data: readonly unknown[]) => ({ body: { data, meta: { count: data.length } } });
    await dashboard.stub(
      /reference\/landkreis/,
      answer(place('Bayern', '09163', 'Rosenheim'), place('Bayern', '09187', 'Rosenheim')),
    );
    await dashboard.stub(
      /reference\/gemeinde/,
      answer(
        place('Bayern', '09163000', 'Rosenheim', 'Rosenheim'),
        place('Hessen', '06000001', 'Rosenheim', 'Rosenheim, Hessen'),
        place('Bayern', '09187999', 'Rosenheim'),
      ),
    );
    const texts = await typeText('rosenheim');
    expect(texts.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'Rosenheim kreisfreie Stadt, Bayern 1 Einheit',
      'Rosenheim Landkreis, Bayern 1 Einheit',
      'Rosenheim Gemeinde, Hessen 1 Einheit',
      'Rosenheim Gemeinde (Rosenheim), Bayern 1 Einheit',
    ]);
    await options().nth(1).click();
    expect(chosen()).toBe('landkreis:09187');
    await expect.poll(() => field().inputValue()).toBe('Rosenheim (Landkreis)');
    expect(await typeText('rosenheim, hess')).toHaveLength(1);
    await dashboard.page.keyboard.press('Escape');
  });

  test('finds the beginning of a postal code, and keys', async () => {
    const { meta } = await dashboard.api('/v1/units?plz=9&limit=1');
    const [prefix] = await typeText('9');
    expect(prefix).toContain('9…');
    expect(prefix?.replaceAll('.', '')).toContain(`${meta.page.total}\u00a0Einheit`);
    expect((await typeText('09')).join('\n')).toContain('Bayern');
    expect(await typeText('123456789')).toEqual([]);
    await dashboard.page.keyboard.press('Escape');
  });

  test('asks once for a name that is typed letter by letter, as long as all hits are known', async () => {
    const { page } = dashboard;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await typeText('neust');
    const first = asked.length;
    await typeText('neustadt an');
    expect(asked.length).toBe(first);
    await page.keyboard.press('Escape');
  });

  test('says what it waits for, what went wrong, and that there is nothing; hostile names stay text', async () => {
    const { page } = dashboard;
    const remark = () => page.locator('.hits .note').innerText();
    expect(await typeText('qqqq')).toEqual([]);
    expect(await remark()).toContain('Kein Ort heißt so');
    await dashboard.stub(/reference\/gemeinde\?q=zz/, problem(400, 'INVALID_PARAMETER', 'q is wrong'));
    await field().fill('zzz');
    await expect.poll(remark).toContain('Eine Angabe passt nicht');
    await dashboard.unstub();
    const retryAfter = () => Date.now() + 60_000;
    await dashboard.stub(
      /reference\/gemeinde\?q=yy/,
      problem(429, 'RATE_LIMITED', 'slow', { retryable: true, retryAfter: retryAfter() }),
    );
    await field().fill('yyy');
    await expect.poll(remark).toContain('geht gleich von selbst weiter');
    await dashboard.unstub();
    const name = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(5000)}`;
    await dashboard.stub(/reference\/gemeinde\?q=img/, {
      body: {
        data: [{ value: name, count: 1, schluessel: '01001001', name, bundesland: 'Hessen' }],
        meta: { count: 1 },
      },
    });
    expect((await typeText('img'))[0]).toContain('<img src=x onerror=alert(1)>');
    expect(await page.locator('.hits img').count()).toBe(0);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    dashboard.expectClean();
  });
});
