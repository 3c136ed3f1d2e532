import { describe, expect, test } from 'vitest';
import { GUIDES, readDocument } from '../../../api/docs/guides/documents.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { renderMarkdown } from '../../../api/pages/markdown.ts';
import { BOARDS, panelsOf, readBoard } from './board.ts';

/** This holds for every board: its shape, its layout, what readers are told, and where its links lead. */

/** The units of Grafana that boards use. */
const UNITS = new Set([
  ...['none', 'string', 'short', 'percentunit', 's', 'bytes', 'reqps', 'ops', 'cps', 'dateTimeAsIso', 'kwatt'],
]);

const PATHS = OPERATIONS.map(({ path }) => path);

/** Variables that Grafana has by itself. */
const BUILT_IN = new Set(['__rate_interval', '__interval', '__range', '__all', '__field']);

const anchors = new Map(
  GUIDES.map((guide) => [guide.path, new Set(renderMarkdown(readDocument(guide)).headings.map(({ id }) => id))]),
);

test('no two boards have one name', () => {
  const boards = BOARDS.map(readBoard);
  expect(boards.map(({ uid }) => uid)).toEqual(BOARDS.map((name) => `energy-${name}`));
  expect(new Set(boards.map(({ title }) => title)).size).toBe(boards.length);
});

describe.each(BOARDS)('%s', (name) => {
  const board = readBoard(name);
  const panels = panelsOf(board);

  test('panels have ids of their own, and fill the board without gaps or overlaps', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => (y + Math.floor(cell / w)) * 24 + x + (cell % w)),
    );
    expect(Math.max(...board.panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
    expect(cells.sort((one, other) => one - other)).toEqual(cells.map((_, index) => index));
  });

  test.each(panels.map((panel) => [panel.title, panel] as const))('%s says what it shows', (title, panel) => {
    const { unit, noValue, thresholds } = panel.fieldConfig.defaults;
    expect(title).toMatch(/^[A-Z][^.]*$/);
    expect(panel.description).toMatch(/^[A-Z].*\.$/);
    expect([...UNITS]).toContain(unit);
    expect(noValue).toMatch(/^[A-Z]/);
    const bounds = thresholds?.steps.map(({ value }) => value ?? Number.NEGATIVE_INFINITY) ?? [];
    expect(bounds).toEqual([...bounds].sort((one, other) => one - other));
    expect(bounds.length === 0 || bounds[0] === Number.NEGATIVE_INFINITY).toBe(true);
    expect(new Set(panel.targets.map(({ refId }) => refId)).size).toBe(panel.targets.length);
    for (const target of panel.targets) expect(target.datasource).toEqual(panel.datasource);
    for (const [, path] of panel.description.matchAll(/GET (\/v1[^ ]*[^ .])/g)) expect(PATHS).toContain(path);
  });

  test.each(panels.map((panel) => [panel.title, panel] as const))('%s leads to a guide', (_, { links }) => {
    for (const { url } of links) {
      const [, path = '', anchor = ''] = /^\$\{service\}\/([^#]+)#(.+)$/.exec(url) ?? [];
      expect([...(anchors.get(path) ?? [])], url).toContain(anchor);
    }
  });

  test('its variables exist, each before it is used by another', () => {
    const known = new Set(BUILT_IN);
    for (const variable of board.templating.list) {
      for (const used of variablesIn(JSON.stringify(variable))) expect([...known]).toContain(used);
      known.add(variable.name);
    }
    for (const used of variablesIn(board.text)) expect([...known]).toContain(used);
    const unused = board.templating.list.filter((one) => !variablesIn(board.text).has(one.name));
    expect(unused.map((one) => one.name)).toEqual([]);
  });
});

/** The names of the variables in a text; macros of the engine's plugin (`$__timeFilter(…)`) are none. */
function variablesIn(text: string): Set<string> {
  const names = [...text.matchAll(/\$\{?(\w+)\b(?!\()/g)].map(([, name = '']) => name);
  return new Set(names.filter((name) => !['__fromTime', '__toTime'].includes(name)));
}
