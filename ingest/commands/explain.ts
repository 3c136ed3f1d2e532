import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type ExitName, refused } from '../../runtime/command-line/exit.ts';
import { argument, option } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { type Settings, warehouseFolder } from '../../runtime/settings.ts';
import { UNIT_NUMBER } from '../../sql/register/mastr-number.ts';
import { versionFile } from '../../sql/warehouse/versions.ts';
import { openReadOnly } from '../duckdb/connection.ts';
import { explain, meaningOf } from '../explain/explain.ts';
import { type KeptSupport, readSupport } from '../explain/kept.ts';
import { rateLines } from '../explain/rates.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { command, print, requireVersion, VERSIONS_HINT } from './command.ts';

export const explainCommand = command({
  name: 'explain',
  summary: 'tell how the support values of a unit came about, line by line with their sources',
  examples: ['SEE900000000001', 'SEE900000000001 --version 20261101-0001 --json'],
  parameters: {
    unit: argument(
      'MaStR number of the unit',
      z.string().regex(new RegExp(`^${UNIT_NUMBER}$`), 'must be a unit number: SEE and twelve digits'),
    ),
    version: option('<id>', 'default: the version served', z.string().optional()),
  },
  run: async ({ unit, version: requested }, { settings, json }): Promise<ExitName> => {
    const version = await versionToRead(settings, requested);
    const kept = await abortOnSignal((signal) => readFrom(settings, version, unit, signal), 'nothing was changed.');
    if (kept === null) {
      throw refused(
        `${version} has no unit ${unit}: the number is wrong, or the register has deleted or deactivated the unit.`,
      );
    }
    const rates = rateLines(kept.plant?.raten ?? []);
    const sections = explain(kept, rates);
    const reasons = (kept.plant?.gruende ?? []).map((code) => ({ code, meaning: meaningOf(code) }));
    const { exportDay, unit: about, plant, units } = kept;
    print(json, { version, exportDay, unit: about, plant, units, rates, reasons, sections }, textOf(version, kept));
    return 'done';

    function textOf(id: string, { unit: of, exportDay: day }: KeptSupport): string {
      const eeg = of.eegMastrNummer === null ? '' : `, EEG plant ${of.eegMastrNummer}`;
      const head = `${of.mastrNummer}: ${of.einheitTyp}, ${of.betriebsStatus ?? 'without status'}${eeg} (version ${id}, export of ${day})`;
      return [head, ...sections.flatMap(({ title, lines }) => ['', title, ...lines.map((line) => `  ${line}`)])].join(
        '\n',
      );
    }
  },
});

/** @throws CommandFailed */
function versionToRead(settings: Settings, requested: string | undefined): Promise<string> {
  return withPublicationTarget(settings, async (target) => {
    if (requested !== undefined) await requireVersion(target, requested);
    const version = requested ?? (await target.publications()).at(-1)?.version;
    if (version === undefined) throw refused('Nothing is served yet, so there is nothing to explain.');
    return version;
  });
}

/** Memory that is enough to read one row by its number. */
const MEMORY_MB = 500;

async function readFrom(
  settings: Settings,
  version: string,
  unit: string,
  signal: AbortSignal,
): Promise<KeptSupport | null> {
  const folder = warehouseFolder(settings);
  const file = versionFile(folder, version);
  if (!existsSync(file)) {
    throw refused(
      `How values came about is kept only in the file of a version, and ${file} is not there: run explain where ` +
        `${version} was built, with its STATE_DIR. ${VERSIONS_HINT}`,
    );
  }
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'explain-'));
  try {
    const engine = await openReadOnly(file, { memoryMb: MEMORY_MB, threads: 1, temporaryFolder }, signal);
    try {
      return await readSupport(engine, version, unit);
    } finally {
      engine.close();
    }
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}
