import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { syncFolder } from '../../runtime/durable-files.ts';
import { isRunning } from '../../runtime/lock-file.ts';
import { type DumpForm, FORMATS, type Format, fileNameOf, isFileName, MANIFEST } from '../../sql/warehouse/dumps.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { readManifest } from './manifest.ts';

/**
 * The file of a dump, and `manifest.json` beside it. Both are written under other names first; the manifest is renamed
 * last, so that a manifest always belongs to a complete dump.
 */
export interface Destination {
  readonly file: string;
  readonly manifest: string;
  /** Their names until they are complete, and a folder for temporary files. */
  readonly drafts: { readonly file: string; readonly manifest: string; readonly work: string };
  /** Folders that were made for it, the innermost first. */
  readonly made: readonly string[];
}

const WORK = '.work';

/**
 * The destination that `--out` names: a file of that format, or the folder for one.
 * @throws BuildRefused when nothing can be written there, or when there is a dump already and it must not be replaced
 */
export function destinationOf(out: string, form: DumpForm, force: boolean): Destination {
  const { format } = form;
  const path = resolve(out);
  const isFolder = existsSync(path) ? statSync(path).isDirectory() : !isFormat(extname(path).slice(1));
  const file = isFolder ? join(path, fileNameOf(form)) : path;
  if (!isFolder && extname(file) !== `.${format}`) {
    throw new BuildRefused(
      `${out} does not end with .${format}: name a folder, or a file with the ending of its format`,
    );
  }
  const folder = dirname(file);
  const made = writableFolder(folder);
  sweepDrafts(folder, basename(file));
  const draft = (name: string) => `${name}.${process.pid}.new`;
  const manifest = join(folder, MANIFEST);
  const destination = {
    file,
    manifest,
    made,
    drafts: { file: draft(file), manifest: draft(manifest), work: draft(`${file}${WORK}`) },
  };
  if (!force) requireFree(destination);
  return destination;
}

/** @throws BuildRefused when there is a dump already */
export function requireFree({ file, manifest }: Destination): void {
  const present = [manifest, file].find(existsSync);
  if (present === undefined) return;
  const dump = readManifest(manifest);
  const what = dump === null ? '' : `, of ${dump.version} as ${dump.format}`;
  throw new BuildRefused(
    `There is a ${present} already${what}: name another place with --out, or replace it with --force`,
  );
}

/** Renames the drafts. An older dump loses its manifest first, so that no manifest ever describes another dump. */
export function publishDrafts(destination: Destination): void {
  const { file, manifest, drafts } = destination;
  const folder = dirname(file);
  const before = readManifest(manifest);
  rmSync(manifest, { force: true });
  for (const { name } of before?.files ?? []) {
    if (name === basename(name)) rmSync(join(folder, name), { force: true });
  }
  renameSync(drafts.file, file);
  syncFolder(folder);
  renameSync(drafts.manifest, manifest);
  syncFolder(folder);
  rmSync(drafts.work, { recursive: true, force: true });
}

/** Removes the drafts of an export that failed, and the folders that were made for them. */
export function removeDrafts({ drafts, made }: Destination): void {
  rmSync(drafts.file, { force: true });
  rmSync(drafts.manifest, { force: true });
  rmSync(drafts.work, { recursive: true, force: true });
  try {
    for (const folder of made) rmdirSync(folder);
  } catch {
    // Another export has written into it meanwhile.
  }
}

const isFormat = (ending: string): ending is Format => (FORMATS as readonly string[]).includes(ending);

/** @returns the folders that it had to make, the innermost first */
function writableFolder(folder: string): string[] {
  try {
    const made = makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return made;
  } catch (error) {
    throw new BuildRefused(`Nothing can be written into ${folder}: ${(error as Error).message}`);
  }
}

/**
 * Creates a folder and those above it. The recursive option of Node loops forever in a file system that allows no folders,
 * such as /proc.
 */
function makeFolder(path: string): string[] {
  if (existsSync(path)) return [];
  const above = makeFolder(dirname(path));
  mkdirSync(path);
  return [path, ...above];
}

/** Removes the drafts of processes that ended while they were writing a dump. */
function sweepDrafts(folder: string, name: string): void {
  for (const found of readdirSync(folder)) {
    const [, of, pid] = /^(.+?)(?:\.work)?\.([0-9]+)\.new$/.exec(found) ?? [];
    const isDraft = of === name || of === MANIFEST || isFileName(of ?? '');
    if (isDraft && !isRunning(Number(pid))) rmSync(join(folder, found), { recursive: true, force: true });
  }
}
