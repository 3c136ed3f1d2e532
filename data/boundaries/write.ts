import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { levelsOf } from './levels.ts';
import { provenance } from './provenance.ts';
import { readSource } from './source.ts';
import { geometriesOf } from './topology.ts';

/** A file of boundaries that was written. */
export interface WrittenLevel {
  readonly file: string;
  readonly areas: number;
  readonly points: number;
  readonly bytes: number;
  /** As a browser receives them. */
  readonly bytesCompressed: number;
}

/** Writes the boundaries of each level into a folder. The same inputs give the same bytes. */
export async function writeBoundaries(folder: string): Promise<WrittenLevel[]> {
  await mkdir(folder, { recursive: true });
  const written: WrittenLevel[] = [];
  for (const [level, topology] of levelsOf(await readSource())) {
    const file = `${level}.json`;
    const text = `${JSON.stringify({ herkunft: provenance(), ...topology })}\n`;
    await writeFile(join(folder, file), text);
    written.push({
      file,
      areas: geometriesOf(topology, level).length,
      points: topology.arcs.reduce((sum, arc) => sum + arc.length, 0),
      bytes: Buffer.byteLength(text),
      bytesCompressed: brotliCompressSync(text).length,
    });
  }
  return written;
}
