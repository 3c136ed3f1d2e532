import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';

/** The values of filters: their numbers follow the other filters, each can be the only one, filters are found by other words. */

describe.skipIf(!hasBrowser)('filters of Einheiten (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  test('the numbers beside values are those that the other filters leave; nur chooses one alone', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?bundesland=Niedersachsen&einheitTyp=solar,wind');
    const { data } = await dashboard.api('/v1/aggregations?groupBy=einheitTyp&bundesland=Niedersachsen');
    const counts = new Map(data.groups.map((group: { key: string; count: number }) => [group.key, group.count]));
    const carriers = page.getByRole('group', { name: 'Energieträger der Einheit' });
    await expect
      .poll(() => carriers.getByRole('checkbox', { name: /^Wind/ }).locator('xpath=..').innerText())
      .toMatch(new RegExp(`\\b${counts.get('wind')}$`));
    await carriers.getByRole('button', { name: 'Nur dieser Wert: Wind' }).click();
    await settled(page);
    expect(new URL(page.url()).searchParams.get('einheitTyp')).toBe('wind');
    expect(await dashboard.violations()).toEqual([]);
  });

  test('Balkon finds the kind of solar plant, the name of a signal finds signals', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten');
    const find = page.getByRole('searchbox', { name: 'Filter finden' });
    await find.fill('Balkon');
    const panel = page.getByRole('region', { name: 'Filter', exact: true });
    const { data: fields } = await dashboard.api('/v1/units/fields');
    const wording = ({ name }: { name: string }) => name === 'solarLage';
    const { beschreibung } = fields.find(wording);
    await expect.poll(() => panel.innerText()).toContain(beschreibung.split(/[:;,.]/)[0]);
    const { data: signals } = await dashboard.api('/v1/reference/signals');
    await find.fill(signals[0].name);
    await expect.poll(() => panel.getByText('So heißt kein Filter.').count()).toBe(0);
    await dashboard.visit('/einheiten/SEE900000000001');
    const link = page.getByRole('link', { name: 'Im Marktstammdatenregister' });
    expect(decodeURIComponent((await link.getAttribute('href')) ?? '')).toContain("~eq~'SEE900000000001'");
  });
});
