import { z } from 'zod';
import { type ExitName, refused } from '../../runtime/command-line/exit.ts';
import { argument, option } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import type { Settings } from '../../runtime/settings.ts';
import { UNIT_NUMBER } from '../../sql/register/mastr-number.ts';
import { explain, meaningOf } from '../explain/explain.ts';
import { type KeptSupport, readSupport, supportTables } from '../explain/kept.ts';
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
    const { version, kept } = await readFrom(settings, requested, unit);
    if (kept === null) {
      throw refused(
        `${version} has no unit ${unit}: the number is wrong, or the register has deleted or deactivated the unit.`,
      );
    }
    const rates = rateLines(kept.plant?.raten ?? []);
    const sections = explain(kept, rates);
    const reasons = (kept.plant?.gruende ?? []).map((code) => ({ code, meaning: meaningOf(code) }));
    const { exportDay, unit: about, plant, units, others, links, claim } = kept;
    print(
      json,
      { version, exportDay, unit: about, plant, units, others, links, claim, rates, reasons, sections },
      textOf(version, kept),
    );
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

/**
 * Reads what is kept of a unit; null when the version has no such unit.
 * @throws CommandFailed when there is no such version
 */
const readFrom = (
  settings: Settings,
  requested: string | undefined,
  unit: string,
): Promise<{ version: string; kept: KeptSupport | null }> =>
  abortOnSignal(
    (signal) =>
      withPublicationTarget(settings, async (target) => {
        if (requested !== undefined) await requireVersion(target, requested);
        const version = requested ?? (await target.publications()).at(-1)?.version;
        if (version === undefined) throw refused('Nothing is served yet, so there is nothing to explain.');
        const engine = await target.tables(version, supportTables(unit), signal);
        if (engine === null) throw refused(`${version} is gone. ${VERSIONS_HINT}`);
        try {
          return { version, kept: await readSupport(engine, version, unit) };
        } finally {
          await engine.close();
        }
      }),
    'nothing was changed.',
  );
