import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { open, type Entry as ZipEntry, type ZipFile } from 'yauzl';
import { ArchiveError } from './archive-error.ts';
import { inflate } from './inflate.ts';
import { type ArchiveEntry, locationOf, type Member, shownName } from './member.ts';

/** Reads an export as a zip, zip64 included. yauzl reads the directory; members are inflated by our own code. */

const STORED = 0;
const DEFLATED = 8;

/** The members of a zip. */
export async function listZip(path: string): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  await eachEntry(path, (entry) => {
    if (entry.fileName.endsWith('/')) return;
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
      const member = { name: shownName(entry.fileName), offset: entry.relativeOffsetOfLocalHeader };
      throw new ArchiveError(
        `${locationOf(path, member)}: packed by method ${entry.compressionMethod}, only deflate is read`,
      );
    }
    const written = entry.getLastModDate({ forceDosFormat: true });
    const day = `${written.getFullYear()}-${twoDigits(written.getMonth() + 1)}-${twoDigits(written.getDate())}`;
    entries.push({
      name: entry.fileName,
      bytes: entry.uncompressedSize,
      offset: entry.relativeOffsetOfLocalHeader,
      plain: !isLink(entry),
      day,
    });
  });
  return entries;
}

/** The comment behind the directory of a zip; empty for most. */
export async function commentOfZip(path: string): Promise<string> {
  const zip = await openZip(path);
  zip.close();
  return zip.comment;
}

/** The upper half of the attributes is the mode of the file under Unix. */
const isLink = ({ externalFileAttributes }: ZipEntry): boolean =>
  ((externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK;
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * The unpacked bytes of a member. A piece is overwritten when the next one is asked for.
 * @throws ArchiveError with the member and its offset when it is cut off or its checksum is wrong
 */
export async function* readZipMember(path: string, member: Member): AsyncGenerator<Buffer> {
  const zip = await openZip(path);
  try {
    const entry = await findEntry(zip, member.offset);
    const packed = await openPacked(zip, entry);
    let checksum = 0;
    let bytes = 0;
    for await (const piece of entry.compressionMethod === STORED ? packed : inflate(packed)) {
      checksum = crc32(piece, checksum);
      bytes += piece.length;
      if (bytes > entry.uncompressedSize) throw new Error(`it goes on behind its ${entry.uncompressedSize} bytes`);
      yield piece;
    }
    if (bytes !== entry.uncompressedSize) throw new Error(`${bytes} bytes instead of ${entry.uncompressedSize}`);
    if (checksum !== entry.crc32) throw new Error('its checksum is wrong');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArchiveError(`${locationOf(path, member)} is damaged: ${reason}`);
  } finally {
    zip.close();
  }
}

async function eachEntry(path: string, visit: (entry: ZipEntry) => void): Promise<void> {
  const zip = await openZip(path);
  try {
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: ZipEntry) => {
        try {
          visit(entry);
          zip.readEntry();
        } catch (error) {
          reject(error);
        }
      });
      zip.on('end', resolve);
      zip.on('error', reject);
      zip.readEntry();
    });
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`The directory of ${path} is damaged: ${withoutNames((error as Error).message)}`);
  } finally {
    zip.close();
  }
}

/** yauzl quotes names of members after a colon, and those may hold anything. */
const withoutNames = (message: string): string => message.replace(/(fileName|path): .*$/s, '$1');

function findEntry(zip: ZipFile, offset: number | null): Promise<ZipEntry> {
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: ZipEntry) => {
      if (entry.relativeOffsetOfLocalHeader === offset) resolve(entry);
      else zip.readEntry();
    });
    zip.on('end', () => reject(new Error('it is not in the directory of the zip')));
    zip.on('error', reject);
    zip.readEntry();
  });
}

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error) reject(new ArchiveError(`${path} is no complete zip: ${error.message}`));
      else resolve(zip);
    });
  });
}

function openPacked(zip: ZipFile, entry: ZipEntry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const opened = (error: Error | null, stream: Readable) => (error ? reject(error) : resolve(stream));
    if (entry.compressionMethod === STORED) zip.openReadStream(entry, opened);
    else zip.openReadStream(entry, { decompress: false, decrypt: null, start: null, end: null }, opened);
  });
}
