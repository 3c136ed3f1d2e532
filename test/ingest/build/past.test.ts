import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPast } from '../../../ingest/build/past.ts';
import type { PublicationTarget } from '../../../ingest/destination/target.ts';
import { folderTarget } from '../../../ingest/publication/folder.ts';
import { currentPublication, listVersions, publications } from '../../../sql/warehouse/versions.ts';
import { ingestHere } from '../../support/command.ts';
import { type Document, folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { dayAfter, drawing, nextDay } from '../../support/register-days.ts';
import { differencesBetween } from '../../support/same-version.ts';
import { buildIn, queryServed, withDefaults } from '../../support/warehouse.ts';

/** Older exports, given in any order, make the warehouse that took them in as they came. */

const folder = folderOfTests();
const place = (name: string) => join(folder.path, name);
const exports: string[] = [];
const days: string[] = [];

beforeAll(async () => {
  const register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
  register.shorten(20);
  const gone = new Map<Document, Row[]>();
  const draw = drawing(3);
  for (let day = '2026-06-01'; days.length < 4; day = dayAfter(day, 1 + draw(20))) {
    exports.push(register.write(place('days'), day));
    days.push(day);
    nextDay(register, gone, draw);
  }
});

afterAll(() => folder.remove());

const pastOf = (...which: readonly number[]) => ({
  exports: which.map((one) => ({ source: exports[one]!, day: null })),
  mayForget: false,
  begins: () => {},
});

describe('a backfill', () => {
  const warehouse = place('filled');
  const { source: _, day: __, ...options } = withDefaults(warehouse, '', { force: true });

  beforeAll(async () => {
    for (const day of [2, 3]) await buildIn(warehouse, exports[day]!, { force: true });
  });

  it('refuses to lose a state that is known, to serve an older day, and two exports of one', async () => {
    await expect(buildPast(options, pastOf(3, 0))).rejects.toThrow(`The states of ${days[2]} would be lost`);
    await expect(buildPast(options, pastOf(1, 0))).rejects.toThrow(`What is served is of ${days[3]}`);
    await expect(buildPast(options, pastOf(3, 3))).rejects.toThrow('are both of');
    expect(publications(warehouse)).toHaveLength(2);
  });

  it('makes the warehouse that took the exports in as they came, and publishes once', async () => {
    const { publication } = await buildPast(options, pastOf(2, 0, 3, 1));
    expect(publications(warehouse)).toHaveLength(3);
    expect(publication).toMatchObject({ version: currentPublication(warehouse)!.version, exportDay: days[3] });
    expect(await queryServed(warehouse, 'SELECT exportDay::VARCHAR AS day FROM staende ORDER BY ALL')).toEqual(
      days.map((day) => ({ day })),
    );
    const inOrder = place('in order');
    const own = folderTarget(inOrder);
    // Its builds have the numbers that those of the backfill had.
    const target: PublicationTarget = { ...own, nextSequence: async () => Math.max(3, await own.nextSequence()) };
    for (const source of exports) await buildIn(inOrder, source, { target, force: true });
    const { version } = currentPublication(warehouse)!;
    expect(currentPublication(inOrder)!.version).toBe(version);
    expect(await differencesBetween(inOrder, warehouse, version)).toEqual([]);
  });

  it('leaves of the versions on the way no more than KEEP_VERSIONS', () => {
    expect(listVersions(warehouse).length).toBeLessThanOrEqual(options.keep);
  });

  it('guesses no day of an export whose name does not say it', async () => {
    const state = place('undated');
    copyFileSync(exports[0]!, place('a.zip'));
    for (const others of [[], [exports[1]!]]) {
      const { code, err } = await ingestHere(state, ['backfill', place('a.zip'), ...others]);
      expect({ code, err }).toMatchObject({
        code: 5,
        err: expect.stringContaining(
          'The name does not say the day of the export: a.zip. Rename it to Gesamtdatenexport_YYYYMMDD….zip',
        ),
      });
    }
  });

  it('begins a warehouse, too, by the command line', async () => {
    const state = place('state');
    const { code, out } = await ingestHere(state, ['backfill', '--force', exports[1]!, exports[0]!]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^Published /) });
  });
});
