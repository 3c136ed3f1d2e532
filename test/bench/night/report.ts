import type { MeasuredBuild } from '../ingest/measured-build.ts';
import { mean } from '../ingest/report.ts';
import type { Spent } from '../support/spent.ts';
import { type Column, type Form, tableLines } from '../support/table.ts';
import type { MeasuredAnswers } from './answers.ts';

/** A measured night, as tables for people or of Markdown. */

export interface MeasuredNight extends MeasuredBuild {
  readonly day: string;
  /** Units that were computed. */
  readonly affected: number;
}

export interface NightResult {
  readonly machine: string;
  readonly units: number;
  /** Units that came, changed or left in each night. */
  readonly changes: number;
  /** One on the other, at least one. */
  readonly nights: readonly MeasuredNight[];
  /** The build of the day of the first night, on the version that it went on from. */
  readonly fromNothing: MeasuredBuild;
  readonly inflated: readonly [before: Spent, after: Spent];
  readonly answers: readonly MeasuredAnswers[];
}

/** The aims for a whole register on two cores; processor time is less in the ratio of the units. */
const AIMS = { cpuSeconds: 200, units: 9_500_000, timesOfInflating: 0.6, memoryMb: 1536 };

interface Line {
  readonly what: string;
  readonly of: (spent: Spent) => number;
  /** Decimals. */
  readonly digits: number;
  readonly aim: number;
}

const MEMORY = 'peak memory of all processes, MB';

const format = (value: number, digits: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export function nightLines(result: NightResult, form: Form): string[] {
  const { units, changes, nights, fromNothing, inflated, answers } = result;
  const night = nights[0]!;
  const inflating: Spent = {
    ...mean(inflated),
    peakMemoryMb: Math.max(...inflated.map(({ peakMemoryMb }) => peakMemoryMb)),
  };
  const lines: Line[] = [
    {
      what: 'seconds',
      of: ({ seconds }) => seconds,
      digits: 1,
      aim: AIMS.timesOfInflating * inflating.seconds,
    },
    {
      what: 'CPU-seconds',
      of: ({ cpuSeconds }) => cpuSeconds,
      digits: 1,
      aim: (AIMS.cpuSeconds * units) / AIMS.units,
    },
    { what: MEMORY, of: ({ peakMemoryMb }) => peakMemoryMb, digits: 0, aim: AIMS.memoryMb },
  ];
  const missed = ({ of, aim }: Line): string => (of(night.spent) > aim ? '*' : '');
  const column = (head: string, cell: (line: Line) => string): Column<Line> => ({ head, align: 'right', cell });
  const spentOf = (head: string, spent: Spent): Column<Line> =>
    column(head, ({ of, digits }) => format(of(spent), digits));
  const ratioTo = (head: string, spent: Spent): Column<Line> => ({
    ...{ head, align: 'right' },
    // The memory of `unzip` is next to nothing: a ratio says nothing.
    cell: ({ what, of }) =>
      what === MEMORY && spent === inflating ? undefined : (of(night.spent) / of(spent)).toFixed(2),
  });
  const changesText = changes.toLocaleString('en');
  return [
    `Machine: ${result.machine}; * misses its aim.`,
    `${units.toLocaleString('en')} units, of which ${changesText} came, changed or left in a night; ` +
      `${night.affected.toLocaleString('en')} were computed.`,
    '',
    ...tableLines<Line>(
      form,
      [
        { head: '', align: 'left', cell: ({ what }) => what },
        column('night', (line) => format(line.of(night.spent), line.digits) + missed(line)),
        column('aim', ({ aim, digits }) => format(aim, digits)),
        spentOf('from nothing', fromNothing.spent),
        spentOf('unzip -p', inflating),
        ratioTo('night by from nothing', fromNothing.spent),
        ratioTo('night by unzip -p', inflating),
      ],
      lines,
    ),
    '',
    ...stageLines(form, [
      ['night', night],
      ['from nothing', fromNothing],
    ]),
    ...(nights.length === 1 ? [] : ['', ...laterLines(form, nights)]),
    ...(answers.length === 0 ? [] : ['', ...answerLines(form, answers)]),
  ];
}

function stageLines(form: Form, builds: readonly (readonly [title: string, build: MeasuredBuild])[]): string[] {
  const names = [...new Set(builds.flatMap(([, { stages }]) => stages.map(({ name }) => name)))];
  return tableLines<string>(
    form,
    [
      { head: 'stage: seconds, CPU-seconds', align: 'left', cell: (name) => name },
      ...builds.map(
        ([head, { stages }]): Column<string> => ({
          head,
          align: 'right',
          cell(name) {
            const stage = stages.find((other) => other.name === name);
            return stage && `${stage.seconds.toFixed(1)}, ${stage.cpuSeconds.toFixed(1)}`;
          },
        }),
      ),
    ],
    names,
  );
}

function laterLines(form: Form, nights: readonly MeasuredNight[]): string[] {
  const column = (head: string, cell: (night: MeasuredNight) => string): Column<MeasuredNight> => ({
    ...{ head, align: 'right', cell },
  });
  return tableLines(
    form,
    [
      { head: 'night of', align: 'left', cell: ({ day }) => day },
      column('units computed', ({ affected }) => format(affected, 0)),
      column('seconds', ({ spent }) => format(spent.seconds, 1)),
      column('CPU-seconds', ({ spent }) => format(spent.cpuSeconds, 1)),
      column('MB', ({ spent }) => format(spent.peakMemoryMb, 0)),
      column('MB on disk', ({ report }) => format(report.warehouseMb, 0)),
    ],
    nights,
  );
}

/** A row for each question, the median and 99th percentile beside each other. */
function answerLines(form: Form, answers: readonly MeasuredAnswers[]): string[] {
  return tableLines<string>(
    form,
    [
      { head: 'ms, p50 / p99', align: 'left', cell: (name) => name },
      ...answers.map(
        ({ name: head, questions }): Column<string> => ({
          head,
          align: 'right',
          cell(name) {
            const times = questions.find((question) => question.name === name)?.times;
            return times && `${times.p50.toFixed(2)} / ${times.p99.toFixed(2)}`;
          },
        }),
      ),
    ],
    answers[0]?.questions.map(({ name }) => name) ?? [],
  );
}
