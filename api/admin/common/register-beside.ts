import type { Settings } from '../../../runtime/settings.ts';
import { askedUnits, servedStatement, signalsRow } from '../../../sql/query/changes.ts';
import { digitsOf, unitNumberOf } from '../../../sql/register/mastr-number.ts';
import type { UnitReader } from '../../warehouse/version.ts';
import type { Dataset, VersionStore } from '../../warehouse/warehouse.ts';

/** The register as a command reads it, beside a running service. */

/** The metrics of the service are about its callers. */
const UNMETERED = { statementEnded: () => {}, unitsRead: () => {} };

/** Opens the published versions for some work. Commands that do not read the register start without its engine. */
export async function withVersions<Result>(
  settings: Settings,
  work: (versions: VersionStore) => Promise<Result>,
): Promise<Result> {
  const { publishedVersions } = await import('../../engines/open-warehouse.ts');
  const versions = await publishedVersions(settings, UNMETERED);
  try {
    return await work(versions);
  } finally {
    versions.close();
  }
}

/** As much of a dataset as operations ask which are commands. */
export const registerBeside = (settings: Settings): Dataset => {
  const units: Pick<UnitReader, 'existing'> = { existing: (numbers) => servedAmong(numbers, settings) };
  return { units } as Dataset;
};

async function servedAmong(numbers: readonly string[], settings: Settings): Promise<ReadonlySet<string>> {
  // Numbers of something else are those of no unit.
  const asked = numbers.map(digitsOf).filter((digits) => !Number.isNaN(digits));
  if (asked.length === 0) return new Set();
  return withVersions(settings, async (versions) => {
    const current = (await versions.publications()).at(-1)?.version;
    if (current === undefined) return new Set();
    const version = await versions.openBeside(current, { operation: 'admin.units', request: null, trace: null });
    try {
      const inOrder = askedUnits(asked.toSorted((one, other) => one - other));
      const rows = await version.query(signalsRow, servedStatement(inOrder, version.dialects));
      return new Set(rows.map(({ digits }) => unitNumberOf(digits)));
    } finally {
      version.close();
    }
  });
}
