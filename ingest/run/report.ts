import { existsSync, readFileSync } from 'node:fs';
import { reportFile } from '../../sql/warehouse/versions.ts';
import { MEASURED_CHECKS, mergeMeasures } from '../checks/bands.ts';
import type { CarrierCounts, Measure, MemberAccount } from '../checks/figures.ts';
import { duration } from './progress.ts';

/** What a build did, kept with its version. */
export interface BuildReport {
  readonly version: string;
  readonly sequence: number;
  readonly exportDay: string;
  /** Where the day of the export was found. */
  readonly exportDayFrom: string;
  readonly exportLevel: string | null;
  readonly source: string;
  readonly previousVersion: string | null;
  readonly seconds: number;
  /** Of these: inflating, scanning and staging. */
  readonly readingSeconds: number;
  /** Unpacked size of the export, 10^6 bytes. */
  readonly megabytes: number;
  readonly megabytesPerSecond: number;
  /** Largest resident size of the build's process, 2^20 bytes. */
  readonly peakMemoryMb: number;
  readonly warehouseMb: number;
  readonly units: CarrierCounts;
  readonly failedChecks: readonly string[];
  /** Days of older exports whose history is in the version (--backfill). */
  readonly historyDays: readonly string[];
  /** The measures that the checks looked at; reports of older releases have none. */
  readonly measures?: readonly Measure[];
  /** Number of findings of each kind; the findings themselves are in the table befunde. */
  readonly befunde: Readonly<Record<string, number>>;
  readonly dateien: readonly MemberAccount[];
}

/** The report of a version; null when the version is gone. */
export function readReport(warehouse: string, version: string): BuildReport | null {
  const path = reportFile(warehouse, version);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BuildReport) : null;
}

/** The report for people. */
export function printReport(report: BuildReport): string {
  const units = Object.entries(report.units);
  const total = units.reduce((sum, [, count]) => sum + count, 0);
  const lines = [
    `Version ${report.version} from ${report.source}, export of ${report.exportDay} (by its ${report.exportDayFrom})`,
    `  ${duration(report.seconds * 1000)}, ${Math.round(report.megabytesPerSecond)} MB of XML a second, peak memory ${Math.round(report.peakMemoryMb)} MB, ${report.warehouseMb.toFixed(1)} MB on disk`,
    `  ${number(total)} units: ${units.map(([carrier, count]) => `${carrier} ${number(count)}`).join(', ')}`,
    `  ${readLine(report.dateien)}`,
    ...measureLines(report.measures ?? []),
    ...Object.entries(report.befunde).map(([kind, count]) => `  finding ${kind}: ${number(count)}`),
    ...report.failedChecks.map((fault) => `  FAILED ${fault}`),
  ];
  return lines.join('\n');
}

function readLine(members: readonly MemberAccount[]): string {
  const sum = (pick: (member: MemberAccount) => number) => members.reduce((all, member) => all + pick(member), 0);
  const unused = members.filter(({ verwendung }) => verwendung === 'ungenutzt');
  const unknown = members.filter(({ verwendung }) => verwendung === 'unbekannt');
  return [
    `${members.length} files, ${number(sum((member) => member.gelesen))} records read`,
    `${number(sum((member) => member.geladen))} loaded`,
    `${number(sum((member) => member.doppelt))} duplicates`,
    `${number(sum((member) => member.abgelehnt))} refused`,
    `${unused.length} files not used (${number(unused.reduce((all, member) => all + member.gelesen, 0))} records)`,
    ...(unknown.length > 0 ? [`unknown files: ${unknown.map(({ datei }) => datei).join(', ')}`] : []),
  ].join(', ');
}

/** One line for each check: what is not as it should be, of all carriers and kinds together. */
function measureLines(measures: readonly Measure[]): string[] {
  const all = mergeMeasures(measures);
  const checks = MEASURED_CHECKS.filter((check) => all.some((measure) => measure.check === check));
  return checks.map((check) => {
    const remarkable = all.filter((measure) => measure.check === check && measure.count > 0);
    const told = remarkable.map(({ what, count, of }) => `${what} ${number(count)} of ${number(of)}`);
    return `  check ${check}: ${told.length === 0 ? 'none' : told.join(', ')}`;
  });
}

const number = (value: number): string => value.toLocaleString('en');
