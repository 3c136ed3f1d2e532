import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { STORAGE } from '../../data/generate/world/carriers.ts';
import { NumberSeries } from '../../data/generate/world/numbers.ts';
import { date } from '../../data/generate/world/text.ts';
import { World } from '../../data/generate/world/world.ts';
import { EXIT } from '../../runtime/command-line/exit.ts';
import { runGenerator } from '../support/generator.ts';
import { command, MAIN, type MemberText, membersOf, type Row, rowsOf, temporaryFolder } from './export.ts';

let folder: string;
const path = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  return () => rm(folder, { recursive: true });
});

/** Runs a command line that succeeds. @returns what it prints */
async function generated(...words: string[]): Promise<string> {
  const { code, out, err } = await runGenerator(words);
  expect([code, err]).toEqual([0, '']);
  return out;
}

describe('determinism', () => {
  it('generates the same bytes again, with any number of workers', async () => {
    const base = ['generate', '--units', '1200', '--seed', '5', '--part-size', '200', '--out'];
    await command(...base, path('one.zip'), '--workers', '1');
    await generated(...base, path('two.zip'), '--workers', '2');
    await generated(...base, path('again.zip'), '--workers', '2');
    const one = await readFile(path('one.zip'));
    expect(one.equals(await readFile(path('two.zip')))).toBe(true);
    expect(one.equals(await readFile(path('again.zip')))).toBe(true);
  });

  it('generates another world from another seed', async () => {
    const numbers = (seed: number): string => new NumberSeries(seed, 'SEE').of(12);
    expect(numbers(1)).not.toBe(numbers(2));
  });
});

describe('numbers', () => {
  it('are unique', () => {
    const series = new NumberSeries(1, 'SEE');
    const seen = new Set(Array.from({ length: 100_000 }, (_, key) => series.of(key)));
    expect(seen.size).toBe(100_000);
    expect([...seen].filter((number) => !/^SEE9\d{11}$/.test(number))).toEqual([]);
  });
});

describe('storage next to solar', () => {
  it('is found from both sides', () => {
    const day = date(2026, 11);
    const world = new World({ seed: 3, units: 50_000, firstDay: day, day });
    const taken = new Set<number>();
    for (let storage = 0; storage < world.counts[STORAGE]!; storage++) {
      const solar = world.solarBeside(storage);
      if (solar < 0) continue;
      expect(taken.has(solar)).toBe(false);
      taken.add(solar);
      expect(world.storageBeside(solar)).toBe(storage);
    }
    expect(taken.size).toBeGreaterThan(10_000);
  });
});

describe('a later export', () => {
  const UNITS = ['Solar', 'StromSpeicher', 'Verbrennung', 'Wind', 'Biomasse', 'Wasser'].map(
    (kind) => `Einheiten${kind}`,
  );
  let before: MemberText[];
  let after: MemberText[];
  const units = (members: MemberText[]): Map<string, Row> =>
    new Map(UNITS.flatMap((type) => rowsOf(members, type)).map((row) => [row.EinheitMastrNummer!, row]));
  const actors = (members: MemberText[]): Map<string, Row> =>
    new Map(rowsOf(members, 'Marktakteure').map((row) => [row.MastrNummer!, row]));

  beforeAll(async () => {
    const options = ['--level', '1', '--workers', '1', '--out'];
    await generated('generate', '--units', '6000', '--seed', '9', ...options, path('first.zip'));
    const later = ['--previous', path('first.zip'), '--day', '2027-01-15'];
    await generated('generate', ...later, ...options, path('later.zip'));
    before = await membersOf(path('first.zip'));
    after = await membersOf(path('later.zip'));
  });

  it('has the changes that a register has in 75 days', () => {
    const old = units(before);
    const now = units(after);
    const changes = {
      registered: 0,
      gone: 0,
      commissioned: 0,
      postponed: 0,
      checked: 0,
      corrected: 0,
      operator: 0,
      closed: 0,
    };
    for (const [number, row] of now) {
      const was = old.get(number);
      if (was === undefined) {
        changes.registered++;
        continue;
      }
      const differs = (field: string): boolean => was[field] !== row[field];
      if (was.EinheitBetriebsstatus === '31' && row.EinheitBetriebsstatus === '35') {
        changes.commissioned++;
        expect(row.GeplantesInbetriebnahmedatum).toBeUndefined();
        expect(row.Inbetriebnahmedatum).toBeDefined();
        expect(row.Registrierungsdatum! > was.Registrierungsdatum!).toBe(true);
      } else if (was.GeplantesInbetriebnahmedatum && differs('GeplantesInbetriebnahmedatum')) changes.postponed++;
      if (differs('NetzbetreiberpruefungDatum') && !differs('DatumLetzteAktualisierung')) changes.checked++;
      if (was.EinheitBetriebsstatus === '35' && differs('Bruttoleistung')) changes.corrected++;
      if (differs('AnlagenbetreiberMastrNummer')) changes.operator++;
      if (row.EinheitBetriebsstatus === '38' && differs('EinheitBetriebsstatus')) changes.closed++;
    }
    for (const number of old.keys()) if (!now.has(number)) changes.gone++;
    // 1.5 million a year of 9.5 million: about 195 of 6,000 in 75 days.
    expect(changes.registered).toBeGreaterThan(150);
    expect(changes.registered).toBeLessThan(240);
    for (const kind of ['gone', 'commissioned', 'postponed', 'checked', 'corrected', 'operator', 'closed'] as const) {
      expect(changes[kind], kind).toBeGreaterThan(0);
      expect(changes[kind], kind).toBeLessThan(1000);
    }
  });

  it('lists deleted units', () => {
    const deleted = (members: MemberText[]): number => rowsOf(members, 'GeloeschteUndDeaktivierteEinheiten').length;
    expect(deleted(after)).toBeGreaterThan(deleted(before));
  });

  it('renames operators and turns organisations into persons', () => {
    const old = actors(before);
    let renamed = 0;
    let converted = 0;
    for (const [number, row] of actors(after)) {
      const was = old.get(number);
      if (was?.Personenart === '517' && row.Personenart === '518') {
        converted++;
        expect(row.Firmenname).toBeUndefined();
      } else if (was && was.Firmenname !== row.Firmenname) renamed++;
    }
    expect(renamed).toBeGreaterThan(0);
    expect(converted).toBeGreaterThan(0);
  });

  it('follows the day before by default', async () => {
    const small = (name: string, ...words: string[]) =>
      generated('generate', ...words, '--workers', '1', '--out', path(name), '--json');
    await small('small.zip', '--units', '500');
    await small('small-later.zip', '--previous', path('small.zip'), '--day', '2027-01-15');
    const summary = JSON.parse(await small('next.zip', '--previous', path('small-later.zip'))) as { day: string };
    expect(summary.day).toBe('2027-01-16');
  });
});

describe('nights with a chosen number of changes', () => {
  const first = () => path('still.zip');
  const UNITS = ['Solar', 'StromSpeicher', 'Verbrennung', 'Wind', 'Biomasse', 'Wasser'].map(
    (kind) => `Einheiten${kind}`,
  );
  const night = (previous: string, out: string, ...words: string[]) =>
    generated('generate', '--previous', previous, ...words, '--level', '1', '--workers', '2', '--out', out);
  const unitsIn = async (file: string): Promise<Map<string, Row>> => {
    const members = await membersOf(file);
    return new Map(UNITS.flatMap((type) => rowsOf(members, type)).map((row) => [row.EinheitMastrNummer!, row]));
  };

  beforeAll(async () => {
    await generated('generate', '--units', '20000', '--seed', '4', '--level', '1', '--workers', '1', '--out', first());
    await night(first(), path('night-1.zip'), '--changes', '77');
    await night(path('night-1.zip'), path('night-2.zip'), '--changes', '77');
  });

  it('have as many, in the proportions of real days, one night on the other', async () => {
    const days = await Promise.all([first(), path('night-1.zip'), path('night-2.zip')].map(unitsIn));
    for (const [at, day] of ['2026-11-02', '2026-11-03'].entries()) {
      const [old, now] = [days[at]!, days[at + 1]!];
      const came = [...now.values()].filter((row) => !old.has(row.EinheitMastrNummer!));
      const left = [...old.keys()].filter((number) => !now.has(number));
      const changed = [...now.values()].filter((row) => {
        const was = old.get(row.EinheitMastrNummer!);
        return was !== undefined && JSON.stringify(was) !== JSON.stringify(row);
      });
      const differing = (field: string) =>
        changed.filter((row) => old.get(row.EinheitMastrNummer!)?.[field] !== row[field]).length;
      // Of 257 real ones 102 came, 13 left and 142 changed: 48 their planned day, 20 of these were commissioned, 18 other power.
      expect([came.length, left.length]).toEqual([31, 4]);
      expect(changed.length).toBeGreaterThan(38);
      expect(changed.length).toBeLessThan(48);
      expect(came.every((row) => row.Registrierungsdatum === day)).toBe(true);
      expect([differing('GeplantesInbetriebnahmedatum'), differing('EinheitBetriebsstatus')]).toEqual([14, 6]);
      expect(differing('Bruttoleistung')).toBeGreaterThan(3);
      expect(changed.filter((row) => row.DatumLetzteAktualisierung?.startsWith(day)).length).toBeGreaterThan(38);
    }
  });

  it('give the same bytes again, and cannot be left off', async () => {
    await night(first(), path('again.zip'), '--changes', '77', '--workers', '1');
    expect((await readFile(path('again.zip'))).equals(await readFile(path('night-1.zip')))).toBe(true);
    const { code, err } = await runGenerator(['generate', '--previous', path('night-1.zip'), '--out', path('x.zip')]);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('--changes')]);
    const none = await runGenerator(['generate', '--units', '6000', '--changes', '9', '--out', path('x.zip')]);
    expect([none.code, none.err]).toEqual([EXIT.usage, expect.stringContaining('--previous')]);
  });
});

describe('command line', () => {
  const endsWith = async (code: number, args: readonly string[]): Promise<string> => {
    const ended = await runGenerator(args);
    expect(ended.code).toBe(code);
    return ended.err;
  };
  const fails = (...args: string[]) => endsWith(EXIT.usage, args);
  const isRefused = (...args: string[]) => endsWith(EXIT.refused, args);

  it('ends its process with exit code 2 and the reason on standard error', async () => {
    const error = await command('generate', '--units', '1000').catch(
      (reason: { code: number; stderr: string }) => reason,
    );
    expect(error).toMatchObject({ code: 2, stderr: expect.stringContaining('--out') });
  });

  it('explains mistakes with exit code 2, and files that are not there with 5', async () => {
    const one = path('one.zip');
    expect(await fails('generate', '--out', path('x.zip'))).toContain('--units');
    expect(await fails('generate', '--units', 'many', '--out', path('x.zip'))).toContain('whole number');
    expect(await isRefused('generate', '--units', '1000', '--out', path('none/x.zip'))).toContain('no folder');
    expect(await fails('generate', '--previous', one, '--seed', '6', '--out', path('x.zip'))).toContain('seed 5');
    expect(await fails('generate', '--previous', one, '--day', '2026-11-01', '--out', path('x.zip'))).toContain(
      'later',
    );
    expect(await isRefused('generate', '--previous', path('none.zip'), '--out', path('x.zip'))).toContain(
      'cannot be read',
    );
    await expect(stat(path('x.zip'))).rejects.toThrow();
  });

  it.each([
    ['no --out', ['--units', '1000'], '--out'],
    ['an empty --out', ['--units', '1000', '--out', ''], '--out'],
    ['no units', ['--units', '0', '--out', 'x.zip'], 'whole number'],
    ['a day that is none', ['--units', '1000', '--day', '2026-02-30', '--out', 'x.zip'], 'day like'],
    ['a level that is none', ['--units', '1000', '--level', '10', '--out', 'x.zip'], 'from 1 to 9'],
  ])('reports %s in one line', async (_, args, message) => {
    const error = await fails('generate', ...args.map((arg) => (arg.endsWith('.zip') ? path(arg) : arg)));
    expect(error).toMatch(/^error: .*\n$/);
    expect(error).toContain(message);
  });

  it.each([
    ['a folder as --out', ['--units', '1000', '--out', '/tmp'], 'not a file'],
    ['a folder as --previous', ['--previous', '/tmp', '--out', 'x.zip'], 'cannot be read'],
    ['a foreign archive', ['--previous', 'foreign.zip', '--out', 'x.zip'], 'not made by this generator'],
  ])('refuses %s in one line', async (_, args, message) => {
    // An archive without members and comment.
    await writeFile(path('foreign.zip'), Buffer.from('PK\u0005\u0006'.padEnd(22, '\0')));
    const error = await isRefused('generate', ...args.map((arg) => (arg.endsWith('.zip') ? path(arg) : arg)));
    expect(error).toMatch(/^error: .*\n$/);
    expect(error).toContain(message);
  });

  it('reports failed writing with exit code 1', async () => {
    await mkdir(path('full.zip.partial'));
    const result = await runGenerator(['generate', '--units', '1000', '--out', path('full.zip')]);
    expect(result).toMatchObject({ code: 1, err: expect.stringMatching(/^error: .*\n$/) });
  });

  it('keeps the former archive and nothing else when it is stopped', async () => {
    await writeFile(path('kept.zip'), 'former');
    const child = spawn(process.execPath, [MAIN, 'generate', '--units', '300000', '--out', path('kept.zip')]);
    await vi.waitFor(() => stat(path('kept.zip.partial')), { timeout: 60_000 });
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(130);
    expect(await readFile(path('kept.zip'), 'utf8')).toBe('former');
    await expect(stat(path('kept.zip.partial'))).rejects.toThrow();
  });

  it('is stopped between two members when it has one worker', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('stopped')), 0);
    const words = ['generate', '--units', '1000', '--workers', '1', '--out', path('stopped.zip')];
    expect(await runGenerator(words, stop.signal)).toEqual({ code: 1, out: '', err: 'error: stopped\n' });
    for (const name of ['stopped.zip', 'stopped.zip.partial']) await expect(stat(path(name))).rejects.toThrow();
  });

  it('has help', async () => {
    expect(await command('generate', '--help')).toContain('--previous');
  });
});
