import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { listVersions, type Publication, pointerFile, publish } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import type { Subject } from '../../support/service.ts';
import { sharedFolder } from '../../support/shared-folder.ts';
import { buildIn } from '../../support/warehouse.ts';

/**
 * Four versions of a generated register: 1, 2 and 3, each based on the one before, then a roll-back to 2, and 4 based on it.
 * Version 3 is a bad export: it has false units, lacks others, and changes some that 4 has again with the values of 2.
 */
export interface Chain {
  /** Ids by the number of the build. */
  readonly versions: readonly string[];
  /** A warehouse folder of its own with all four versions, of which none is published yet. */
  copy(name: string): string;
  /** The same in a folder that there is. */
  into(path: string): void;
  remove(): void;
}

export async function buildChain(): Promise<Chain> {
  const warehouse = await sharedFolder('delta-chain', buildVersions);
  const folder = folderOfTests();
  const into = (path: string): void => {
    cpSync(warehouse, path, { recursive: true });
    rmSync(pointerFile(path));
  };
  return {
    versions: listVersions(warehouse).map(({ id }) => id),
    copy(name) {
      const path = join(folder.path, name);
      into(path);
      return path;
    },
    into,
    remove: folder.remove,
  };
}

async function buildVersions(warehouse: string): Promise<void> {
  const folder = folderOfTests();
  const first = await generateExport(folder.path, '2026-11-01');
  const second = await generateExport(folder.path, '2026-11-20', first);
  const fourth = await generateExport(folder.path, '2026-12-10', second);
  const build = (source: string) => buildIn(warehouse, source, { force: true, keep: 9 });

  await publishRegister(warehouse);
  const vanished = await RegisterExport.read(second);
  const missing = vanished.of('EinheitenSolar').records.splice(10, 3);
  await build(vanished.write(join(folder.path, 'vanished'), '2026-11-20'));
  await build(spoiled(vanished).write(join(folder.path, 'bad'), '2026-11-21'));
  publish(warehouse, listVersions(warehouse)[1]!.id, 'rollback', new Date());
  const healed = await RegisterExport.read(fourth);
  // One unit that was missing in 2 has returned at another place.
  healed.of('EinheitenSolar').records.push({ ...missing[0]!, Postleitzahl: '99999' });
  await build(healed.write(join(folder.path, 'healed'), '2026-12-10'));
  folder.remove();
}

function spoiled(register: RegisterExport): RegisterExport {
  const bad = register.copy();
  const { records } = bad.of('EinheitenSolar');
  records.splice(30, 5);
  for (const record of records.slice(40, 50)) {
    record.EinheitBetriebsstatus = '38';
    record.Bundesland = '1402';
    record.Bruttoleistung = '4321.000';
  }
  records.push({ ...records[60]!, EinheitMastrNummer: 'SEE999999999901' });
  return bad;
}

/** A time on the day of the publications, minutes and seconds after 08:00. */
export const moment = (minute: number, second = 0): Date => new Date(Date.UTC(2026, 11, 12, 8, minute, second));

/** Publishes a version at a given minute, so that the order of publications does not depend on chance. */
export function publishAt(warehouse: string, version: string, minute: number, cause: Publication['cause'] = 'build') {
  return publish(warehouse, version, cause, moment(minute));
}

/** Waits until the service serves what was published last. */
export const serving = (service: Subject, { publishedAt }: Publication) =>
  vi.waitFor(
    async () => {
      const { json } = await service.get('/v1/units?limit=1&mastrNummern=SEE000000000000');
      if (json.meta.sync.watermark !== publishedAt) throw new Error('still the version before');
    },
    { timeout: 60_000, interval: 50 },
  );
