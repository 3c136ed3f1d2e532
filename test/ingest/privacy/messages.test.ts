import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReadWrite } from '../../../ingest/duckdb/connection.ts';
import { ingestHere } from '../../support/command.ts';
import { asWritten, folderOfTests, generateExport, RegisterExport, textOfDocument } from '../../support/exports.ts';
import { type ZipMember, zipOf } from '../../support/zip.ts';
import { holdsMark, MARK, markedFiles } from './mark.ts';

/** Messages about an export that cannot be read, and a table that cannot be loaded, repeat nothing of them. */

const folder = folderOfTests();
const state = join(folder.path, 'state');
let members: readonly ZipMember[];

beforeAll(async () => {
  const register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
  register.shorten(3, 'Katalogwerte', 'Katalogkategorien');
  members = [...register.files].map(([name, document]) => ({ name, content: asWritten(textOfDocument(document)) }));
});

afterAll(folder.remove);

function file(content: Buffer | string, name = 'Gesamtdatenexport_20261101_26.1.zip'): string {
  const path = join(folder.path, 'given', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** The export with one member in place of its own. */
const withMember = (kind: string, text: string, more: Partial<ZipMember> = {}): string =>
  file(
    zipOf(
      members.map((member) =>
        member.name.startsWith(kind) ? { name: member.name, content: asWritten(text), ...more } : member,
      ),
    ),
  );

const names = Array.from({ length: 2001 }, (_, number) => `<${MARK}${number}/>`).join('');

describe('a build that fails', () => {
  test.each<[what: string, make: () => string]>([
    ['no zip', () => file(`${MARK} ist kein Export`)],
    ['no zip, in UTF-16', () => file(Buffer.from(`${MARK} ist kein Export`, 'utf16le'))],
    ['a comment without its end in a catalogue', () => withMember('Katalogwerte', `<K><!-- ${MARK}`)],
    ['a tag without its end in a catalogue', () => withMember('Katalogwerte', `<K><Katalogwert ${MARK}="x`)],
    [
      'an entity in a catalogue',
      () => withMember('Katalogwerte', `<!DOCTYPE K [<!ENTITY ${MARK} SYSTEM "${MARK}">]><K/>`),
    ],
    ['a catalogue without a value', () => withMember('Katalogwerte', `<K><${MARK}>${MARK}</${MARK}></K>`)],
    ['a member without an element', () => withMember('EinheitenWind', MARK)],
    ['another root', () => withMember('EinheitenWind', `<${MARK}><E><Ort>x</Ort></E></${MARK}>`)],
    ['a root with a prefix', () => withMember('EinheitenWind', `<${MARK}:EinheitenWind></${MARK}:EinheitenWind>`)],
    [
      'records of something else',
      () => withMember('EinheitenWind', `<EinheitenWind><E><${MARK}>x</${MARK}></E></EinheitenWind>`),
    ],
    [
      'records one level deeper',
      () => withMember('EinheitenWind', `<EinheitenWind><${MARK}><E><Ort>x</Ort></E></${MARK}></EinheitenWind>`),
    ],
    [
      'records of which most are broken',
      () =>
        withMember('EinheitenWind', `<EinheitenWind>${`<E><Ort>${MARK} & b</Ort></E>`.repeat(1500)}</EinheitenWind>`),
    ],
    [
      'an element behind the root',
      () => withMember('EinheitenWind', `<EinheitenWind></EinheitenWind><${MARK}>x</${MARK}>`),
    ],
    [
      'another encoding',
      () => {
        const content = Buffer.from(`<?xml version="1.0" encoding="${MARK}"?><EinheitenWind/>`);
        return withMember('EinheitenWind', '', { content });
      },
    ],
    ['a section without its end', () => withMember('EinheitenWind', `<EinheitenWind><E><Ort><![CDATA[${MARK}`)],
    ['an instruction without its end', () => withMember('EinheitenWind', `<EinheitenWind><E><Ort><?${MARK} `)],
    ['a root that is never closed', () => withMember('EinheitenWind', `<EinheitenWind><E><Ort>${MARK}</Ort></E>`)],
    [
      'more unknown elements than any file has',
      () => withMember('EinheitenWind', `<EinheitenWind><E>${names}</E></EinheitenWind>`),
    ],
    [
      'a wrong checksum below a folder',
      () => withMember('EinheitenWind', MARK, { name: `${MARK}/EinheitenWind.xml`, checksum: 1 }),
    ],
    ['a member packed in another way', () => withMember('Netze', MARK, { name: `${MARK}.xml`, method: 9 })],
    ['a member outside of the zip', () => withMember('Netze', MARK, { name: `../${MARK}.xml` })],
    ['nothing but unknown files', () => file(zipOf([{ name: `${MARK}.txt`, content: MARK }]))],
  ])('names fault and place, not the content: %s', async (_, make) => {
    const { code, out, err } = await ingestHere(state, ['build', make(), '--force']);
    expect(code).not.toBe(0);
    expect(err).not.toBe('');
    expect(holdsMark(Buffer.from(out + err)), err).toBe(false);
    expect(markedFiles(state)).toEqual([]);
  });
});

describe('a table of the operator that is refused', () => {
  test.each([
    `${MARK},name\n1,2\n`,
    `mastrNummer\n${MARK}\n`,
    `kraftwerksnummer\n${MARK}\n`,
    `kraftwerksnummer;name\nErika ${MARK};x\n`,
  ])('%j', async (text) => {
    const { code, out, err } = await ingestHere(state, ['table', 'nep', file(text, 'liste.csv')]);
    expect(code).toBe(5);
    expect(err).toMatch(/line [12]: /);
    expect(holdsMark(Buffer.from(out + err)), err).toBe(false);
  });

  test('a loaded one is kept as numbers only', async () => {
    const text = `mastrNummer,kraftwerksnummer,name\nSEE900000000001,BNA0001,Erika ${MARK}\n`;
    expect(await ingestHere(state, ['table', 'nep', file(text, 'liste.csv')])).toMatchObject({ code: 0 });
    expect(markedFiles(state)).toEqual([]);
  });
});

describe('a fault of the engine', () => {
  const limits = { memoryMb: 100, threads: 1, temporaryFolder: join(folder.path, 'temporary') };

  test('is reported without the value that caused it', async () => {
    const engine = await openReadWrite(join(folder.path, 'faults.duckdb'), limits);
    await engine.run('CREATE TABLE t (i INTEGER UNIQUE, v VARCHAR)');
    await engine.append('t', [[1, MARK]]);
    try {
      for (const fault of [
        () => engine.run('INSERT INTO t SELECT v, v FROM t'),
        () => engine.rows('SELECT v::DATE FROM t'),
        () => engine.pairs('SELECT v::DECIMAL(3, 1), v FROM t', () => {}),
        () => engine.append('t', [[MARK, 'x']]),
        () => engine.append('t', [[1, MARK]]),
        () => engine.run("SELECT regexp_matches('a', v || '(') FROM t"),
        () => engine.run('SELECT error(v) FROM t'),
      ]) {
        const message = await fault().then(
          () => 'no fault',
          (error: Error) => error.message,
        );
        expect(message).toMatch(
          / Error: a value that the engine does not take; it is not repeated\. The statement: \w+/,
        );
        expect(holdsMark(Buffer.from(message)), message).toBe(false);
      }
    } finally {
      await engine.close();
    }
  });

  test('is reported unchanged where a file or a statement caused it', async () => {
    const engine = await openReadWrite(join(folder.path, 'plain.duckdb'), limits);
    await expect(engine.run('SELECT * FROM nowhere')).rejects.toThrow(/Catalog Error: Table .*nowhere/);
    await expect(engine.run("FROM read_parquet('/nowhere/x.parquet')")).rejects.toThrow(/IO Error: .*nowhere/);
    await engine.close();
  });
});
