import type { Page } from 'playwright-core';

/** Reads pages of the dashboards as visitors do. */

/** The rows of the table of a figure, cell by cell, also of one that is folded away; the first has the heads of columns. */
export const rowsOf = (page: Page, figure: string | RegExp): Promise<string[][]> =>
  page
    .getByRole('figure', { name: figure })
    .locator('table tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '')),
    );

/** The figures or words that stand side by side above a page, by their names. */
export const factsOf = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page
      .locator('.facts > div')
      .evaluateAll((facts) =>
        facts.map((fact) => [
          fact.querySelector('dt')?.textContent ?? '',
          fact.querySelector('dd')?.firstChild?.textContent ?? '',
        ]),
      ),
  );

/** Frames in which drawings take the width of a window that was just made narrower, on a busy machine, too. */
const FRAMES = 120;

/** True when the window would have to be scrolled sideways. */
export const isTooWide = async (page: Page): Promise<boolean> => (await sticksOut(page)).length > 0;

/** Elements that make the window scroll sideways, a line each, once drawings have taken its width; empty = nothing does. */
export const sticksOut = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async (frames) => {
    const root = document.documentElement;
    for (let frame = 0; frame < frames && root.scrollWidth > root.clientWidth; frame++)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const { scrollWidth, clientWidth } = root;
    if (scrollWidth <= clientWidth) return [];
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== document.documentElement &&
      (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth && !scrolls(element.parentElement),
    );
    return [`${scrollWidth} of ${clientWidth}`, ...wide.slice(0, 8).map((one) => one.outerHTML.slice(0, 120))];
  }, FRAMES);

/** A text as hostile as a register may have it: markup, another direction of writing, and no end. */
export const HOSTILE = `<img src=x onerror="document.title='hacked'">\u202egnol${'x'.repeat(5000)}`;
