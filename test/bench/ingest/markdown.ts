import { machine } from '../support/machine.ts';
import { type Column, tableLines } from '../support/table.ts';
import { unitsOf } from './measured-build.ts';
import { AIM_MEMORY_MB, AIM_TIMES, type ComparedBuild, mean } from './report.ts';

/** Measured builds as tables of Markdown, a column for each. */

interface Line {
  readonly what: string;
  readonly aim?: string;
  readonly of: (build: ComparedBuild) => string;
}

const rounded = (value: number): string => Math.round(value).toLocaleString('en');
const taken = ({ seconds, cpuSeconds }: { seconds: number; cpuSeconds: number }): string =>
  `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU-s`;
const times = (value: number, aim?: number): string =>
  `${value.toFixed(2)}${aim !== undefined && value > aim ? '*' : ''}`;

const LINES: readonly Line[] = [
  { what: 'units', of: ({ report }) => rounded(unitsOf(report)) },
  { what: 'of them new or changed', of: ({ changed }) => rounded(changed) },
  { what: 'XML', of: ({ report }) => `${rounded(report.megabytes)} MB` },
  { what: 'whole build', of: ({ spent }) => taken(spent) },
  { what: '`unzip -p`, mean of before and after', of: ({ inflated }) => taken(mean(inflated)) },
  {
    what: 'build by `unzip -p`, time',
    aim: String(AIM_TIMES),
    of: ({ spent, inflated }) => times(spent.seconds / mean(inflated).seconds, AIM_TIMES),
  },
  {
    what: 'build by `unzip -p`, processor time',
    of: ({ spent, inflated }) => times(spent.cpuSeconds / mean(inflated).cpuSeconds),
  },
  {
    what: 'peak memory of all processes',
    aim: `${rounded(AIM_MEMORY_MB)} MB`,
    of: ({ spent }) => `${rounded(spent.peakMemoryMb)} MB${spent.peakMemoryMb > AIM_MEMORY_MB ? '*' : ''}`,
  },
  { what: 'version on disk', of: ({ report }) => `${rounded(report.warehouseMb)} MB` },
];

export function markdownLines(builds: readonly ComparedBuild[]): string[] {
  const stages = [...new Set(builds.flatMap((build) => build.stages.map(({ name }) => name)))];
  const columns = <Row>(cell: (row: Row, build: ComparedBuild) => string | undefined): Column<Row>[] =>
    builds.map((build) => ({ head: build.title, align: 'right', cell: (row) => cell(row, build) }));
  return [
    `Machine: ${machine()}; * misses its aim.`,
    '',
    ...tableLines<Line>(
      'markdown',
      [
        { head: '', align: 'left', cell: ({ what }) => what },
        { head: 'aim', align: 'right', cell: ({ aim }) => aim ?? '' },
        ...columns<Line>(({ of }, build) => of(build)),
      ],
      LINES,
    ),
    '',
    ...tableLines<string>(
      'markdown',
      [
        { head: 'stage', align: 'left', cell: (name) => name },
        ...columns<string>((name, build) => {
          const found = build.stages.find((stage) => stage.name === name);
          return found === undefined ? undefined : taken(found);
        }),
      ],
      stages,
    ),
  ];
}
