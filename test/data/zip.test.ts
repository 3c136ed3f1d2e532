import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPromise } from 'yauzl';
import { readComment, ZipWriter } from '../../data/generate/archive/zip.ts';
import { date } from '../../data/generate/world/text.ts';
import { temporaryFolder } from './export.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => rm(folder, { recursive: true }));

/** Handle that leaves holes in the file where large buffers would stand, so that the test needs no space. */
function sparse(file: FileHandle): FileHandle {
  let position = 0;
  const writev = async (buffers: Uint8Array[]): Promise<{ bytesWritten: number }> => {
    const start = position;
    for (const buffer of buffers) {
      if (buffer.byteLength < 1_000_000) await file.write(buffer, 0, buffer.byteLength, position);
      position += buffer.byteLength;
    }
    return { bytesWritten: position - start };
  };
  return { writev } as unknown as FileHandle;
}

it('writes zip64 beyond 4 GiB', async () => {
  const path = join(folder, 'large.zip');
  const file = await open(path, 'w+');
  const zip = new ZipWriter(sparse(file));
  const hole = new Uint8Array(256 * 1024 * 1024);
  const huge = Array.from({ length: 18 }, () => hole);
  await zip.add('Small_1.xml', 1, 10, [new Uint8Array(4)], date(2026, 11), 3600);
  await zip.add('Huge_1.xml', 2, 9_000_000_000, huge, date(2026, 11), 4000);
  await zip.add('Late_1.xml', 3, 20, [new Uint8Array(6)], date(2026, 11), 5000);
  await zip.finish('{"a":"ü"}');
  expect(await readComment(file)).toBe('{"a":"ü"}');
  await file.close();

  const archive = await openPromise(path);
  const entries: [string, number, number, number][] = [];
  for await (const entry of archive.eachEntry()) {
    const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry);
    entries.push([entry.fileName, entry.compressedSize, entry.uncompressedSize, fileDataStart]);
  }
  const large = 18 * hole.length;
  expect(entries.map(([name, packed, size]) => [name, packed, size])).toEqual([
    ['Small_1.xml', 4, 10],
    ['Huge_1.xml', large, 9_000_000_000],
    ['Late_1.xml', 6, 20],
  ]);
  expect(entries[2]![3]).toBeGreaterThan(2 ** 32);
});
