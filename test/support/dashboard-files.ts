import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Takes away from a figure what a visitor can. */

/** Clicks what saves a file, and reads the file. @param label of the button, such as `CSV speichern: Titel` */
export async function savedFile(page: Page, label: string | RegExp): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: label }).first().click(),
  ]);
  const content = readFileSync(await download.path());
  await download.delete();
  return { name: download.suggestedFilename(), content };
}

/** Rows of a CSV file of a figure, without its header and the line of its source. */
export async function savedRows(page: Page, label: string | RegExp): Promise<readonly (readonly string[])[]> {
  const { content } = await savedFile(page, label);
  return content
    .toString()
    .trimEnd()
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(';'));
}

/** A number as German spreadsheets read it. */
export const germanNumber = (cell: string | undefined): number => Number((cell ?? '').replace(',', '.'));

/** The addresses of the requests that a figure shows, from their path on. */
export async function shownRequests(page: Page, title: string | RegExp): Promise<readonly string[]> {
  const figure = page.getByRole('figure', { name: title });
  const button = figure.getByRole('button', { name: /^Anfrage/ });
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
  const text = await figure.locator('.code code').innerText();
  return [...text.matchAll(/'(http[^']+)'/g)].map(([, address = '']) => {
    const { pathname, search } = new URL(address);
    return pathname + search;
  });
}
