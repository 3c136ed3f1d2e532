import { counted } from '../../runtime/counted.ts';
import { MEASURED_CHECKS, mergeMeasures } from '../checks/bands.ts';
import { type BuildReport, changesText, type MadeFrom, type Measure, type MemberAccount } from '../run/build-report.ts';
import { duration } from '../run/progress.ts';

/** Formats a report for the terminal. */
export function printReport(report: BuildReport): string {
  const units = Object.entries(report.units);
  const total = units.reduce((sum, [, count]) => sum + count, 0);
  const lines = [
    `Version ${report.version} from ${report.source}, export of ${report.exportDay} (by its ${report.exportDayFrom})`,
    `  ${duration(report.seconds * 1000)}, ${Math.round(report.megabytesPerSecond)} MB of XML a second, peak memory ${Math.round(report.peakMemoryMb)} MB, ${report.warehouseMb.toFixed(1)} MB on disk`,
    `  ${counted(total, 'unit')}: ${units.map(([carrier, count]) => `${carrier} ${number(count)}`).join(', ')}`,
    ...(report.changes == null ? [] : [`  since ${report.previousVersion}: ${changesText(report.changes)}`]),
    ...(report.madeFrom === undefined ? [] : [`  ${madeLine(report.madeFrom)}`]),
    `  ${readLine(report.dateien)}`,
    ...measureLines(report.measures ?? []),
    ...Object.entries(report.befunde).map(([kind, count]) => `  finding ${kind}: ${number(count)}`),
    ...report.failedChecks.map((fault) => `  FAILED ${fault}`),
  ];
  return lines.join('\n');
}

/** How the tables of a version were made, for people. */
export function madeLine({ version, affected, reason, differences }: MadeFrom): string {
  if (version !== null) {
    const notCompared = reason === null ? '' : `; NOT COMPARED, ${reason}`;
    return `made out of ${version}: ${counted(affected ?? 0, 'unit')} computed${notCompared}`;
  }
  if (differences === null) return `built from nothing${reason === null ? '' : `: ${reason}`}`;
  const outcome =
    differences.length === 0 ? 'no difference' : `OTHER ROWS in ${differences.map(({ table }) => table).join(', ')}`;
  return `built from nothing and compared with the night: ${outcome}`;
}

function readLine(members: readonly MemberAccount[]): string {
  const sum = (pick: (member: MemberAccount) => number) => members.reduce((all, member) => all + pick(member), 0);
  const unused = members.filter(({ verwendung }) => verwendung === 'ungenutzt');
  const unknown = members.filter(({ verwendung }) => verwendung === 'unbekannt');
  return [
    `${counted(members.length, 'file')}, ${counted(
      sum((member) => member.gelesen),
      'record',
    )} read`,
    `${number(sum((member) => member.geladen))} loaded`,
    `${counted(
      sum((member) => member.doppelt),
      'duplicate',
    )}`,
    `${number(sum((member) => member.abgelehnt))} refused`,
    `${counted(unused.length, 'file')} not used (${counted(
      unused.reduce((all, member) => all + member.gelesen, 0),
      'record',
    )})`,
    ...(unknown.length > 0 ? [`unknown files: ${unknown.map(({ datei }) => datei).join(', ')}`] : []),
  ].join(', ');
}

/** One line per check with its measures that are not zero, over all carriers and kinds. */
function measureLines(measures: readonly Measure[]): string[] {
  const all = mergeMeasures(measures);
  const checks = MEASURED_CHECKS.filter((check) => all.some((measure) => measure.check === check));
  return checks.map((check) => {
    const remarkable = all.filter((measure) => measure.check === check && measure.count > 0);
    const details = remarkable.map(({ what, count, of }) => `${what} ${number(count)} of ${number(of)}`);
    return `  check ${check}: ${details.length === 0 ? 'none' : details.join(', ')}`;
  });
}

const number = (value: number): string => value.toLocaleString('en');
