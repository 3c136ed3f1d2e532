import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../runtime/command-line/exit.ts';
import { ingestHere, type ProcessResult } from '../../support/command.ts';
import { temporaryFolder } from '../../support/fixture.ts';

/** The commands of the tenders, as operators type them, in one story. */

const folder = temporaryFolder();
afterAll(() => folder.remove());
const warehouse = join(folder.path, 'warehouse');
const lists = join(folder.path, 'lists');
mkdirSync(lists);
const list = join(lists, 'wind.csv');
const broken = join(lists, 'broken.csv');
const BIDDER = 'Erika Mustermann';
writeFileSync(
  list,
  `Name;Zuschlags-Nr.;Standort;Neu\n${BIDDER};WIN19-4-004;Gemeinde Felde, Gemarkung Felde: Flur 1: 3 (SEE949739967850);x\n`,
);
writeFileSync(broken, `Name;Gebots-Nr.;Standort\n${BIDDER};1;Gemeinde Felde\n`);

const run = (...words: string[]): Promise<ProcessResult> => ingestHere(warehouse, ['tenders', ...words]);
const json = ({ out }: ProcessResult): unknown => JSON.parse(out);

describe.sequential('the commands of the tenders', () => {
  it('show the rounds of the product on a fresh machine', async () => {
    const { code, out } = await run('status');
    expect({ code, out }).toEqual({
      code: EXIT.done,
      out: expect.stringMatching(/^WIND 2017: 3 figures\nWIND 2018: 4 figures\n/),
    });
    expect(out).toMatch(/^KWK \d{4}: \d announced$/m);
  });

  it('say what loading would do, without doing it', async () => {
    const { code, out } = await run('load', list, '--dry-run');
    expect(code).toBe(EXIT.done);
    expect(out).toMatch(/^wind\.csv: loaded, 1 award of 2019090110$/m);
    expect(out).toMatch(/Nothing was changed\n$/);
    expect(existsSync(join(warehouse, 'tenders'))).toBe(false);
  });

  it('load what can be read, refuse the rest, and say so by their exit code', async () => {
    const result = await run('load', lists);
    expect(result.code).toBe(EXIT.refused);
    expect(result.out).toMatch(/^broken\.csv: refused, it has no column of award numbers/);
    expect(result.out).toMatch(/ausschreibung_spalte_unbekannt {2}Neu: nicht gelesen/);
    expect(result.out).toMatch(
      /2 files: 1 loaded, 0 unchanged, 1 refused; 1 award; the next build takes them \(at once: rebuild\)\n$/,
    );
    expect(result.out + result.err).not.toContain(BIDDER);
  });

  it('say that a list is loaded already', async () => {
    expect(json(await run('load', list, '--json'))).toMatchObject({
      dryRun: false,
      files: [{ file: 'wind.csv', outcome: 'unchanged', rounds: [2019090110], awards: 1, reason: null }],
    });
  });

  it('show what is loaded, and why a file was refused', async () => {
    const { out } = await run('status');
    expect(out).toMatch(/^WIND 2019: 1 loaded, 5 figures; 1 award$/m);
    expect(out).toMatch(/^Refused when last loaded:\nbroken\.csv: it has no column of award numbers/m);
    expect(json(await run('status', '--json'))).toMatchObject({ failures: [{ file: 'broken.csv', round: null }] });
  });

  it.each(['2019090110', 'WIN19-4', 'win19-4'])('show the round %s with its awards', async (round) => {
    const { code, out } = await run('show', round);
    expect(code).toBe(EXIT.done);
    expect(out).toMatch(/^id: 2019090110$/m);
    expect(out).toMatch(/^WIN19-4\/004 {2}Felde {2}Felde {2}SEE949739967850$/m);
    expect(json(await run('show', round, '--json'))).toMatchObject({
      id: 2019090110,
      state: 'loaded',
      awards: [{ gemeinde: 'Felde' }],
    });
  });

  it('list what is loaded, and remove one list of a round', async () => {
    const later = join(folder.path, 'later.csv');
    writeFileSync(later, 'Zuschlags-Nr.;Standort\nWIN19-4-005;Gemeinde Felde\n');
    expect((await run('load', later)).code).toBe(EXIT.done);
    expect((await run('list')).out).toMatch(
      /^2019090110 {2}WIND 2019-09-01 {2}[0-9a-f]{8} {2}Liste der Zuschläge \(wind\.csv\) {2}1 award\n.*\(later\.csv\) {2}1 award\n$/,
    );
    expect(await run('remove', 'WIN19-4', '--list', 'none.csv')).toMatchObject({
      code: EXIT.refused,
      err: expect.stringMatching(/No list of round WIN19-4 is named none\.csv\. It has .*wind\.csv/),
    });
    expect((await run('remove', 'WIN19-4', '--list', 'later.csv')).out).toMatch(
      /^Removed 1 award of round 2019090110 \(Liste der Zuschläge \(later\.csv\)\)/,
    );
    expect(json(await run('list', '--json'))).toMatchObject({ lists: [{ round: 2019090110, awards: 1 }] });
    await run('load', later);
    writeFileSync(later, 'Zuschlags-Nr.;Standort\nWIN19-4-004;Gemeinde Felde\n');
    expect((await run('load', later, '--replace', '--dry-run')).out).toMatch(
      / {2}replaces Liste der Zuschläge \(wind\.csv\) of 2019090110 with 1 award; none of them is dropped\n {2}replaces .*; 1 dropped: WIN19-4\/005\n/,
    );
    await run('remove', 'WIN19-4', '--list', 'later.csv');
  });

  it('remove a round, after saying what that would do', async () => {
    expect(await run('remove', 'WIN19-4', '--dry-run')).toMatchObject({
      code: EXIT.done,
      out: 'Would remove 1 award of round 2019090110 (Liste der Zuschläge (wind.csv))\n',
    });
    expect(json(await run('remove', 'WIN19-4', '--json'))).toEqual({
      ...{ dryRun: false, round: 2019090110, awards: 1, lists: ['Liste der Zuschläge (wind.csv)'] },
    });
    expect(await run('remove', 'WIN19-4')).toMatchObject({
      code: EXIT.refused,
      err: expect.stringMatching(/^Nothing is loaded of round WIN19-4/),
    });
  });

  it.each([
    [['load'], EXIT.usage],
    [['load', join(folder.path, 'none')], EXIT.refused],
    [['show', 'x'], EXIT.usage],
    [['show', 'WIN19-9'], EXIT.refused],
    [['show', '2019090210'], EXIT.refused],
    [['remove', '2019090113'], EXIT.refused],
    [['nonsense'], EXIT.usage],
  ])('end %j with %i', async (words, code) => expect(await run(...words)).toMatchObject({ code }));
});
