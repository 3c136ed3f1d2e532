import { machine } from '../support/machine.ts';
import { type Column, tableLines } from '../support/table.ts';
import { unitsOf } from './measured-build.ts';
import { aimsOf, type ComparedBuild, cpuSecondsOf, mean } from './report.ts';

/** Measured builds as tables of Markdown, a column for each. */

interface Line {
  readonly what: string;
  readonly aim?: (build: ComparedBuild) => string | null;
  /** Null where there is none. */
  readonly of: (build: ComparedBuild) => string | null;
}

const rounded = (value: number): string => Math.round(value).toLocaleString('en');
const taken = ({ seconds, cpuSeconds }: { seconds: number; cpuSeconds: number }): string =>
  `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU-s`;
const times = (value: number, aim?: number): string =>
  `${value.toFixed(2)}${aim !== undefined && value > aim ? '*' : ''}`;

const memory = (value: number, aim: number): string => `${rounded(value)} MB${value > aim ? '*' : ''}`;

const LINES: readonly Line[] = [
  { what: 'units', of: ({ report }) => rounded(unitsOf(report)) },
  { what: 'of them new or changed', of: ({ changed }) => rounded(changed) },
  { what: 'XML', of: ({ report }) => `${rounded(report.megabytes)} MB` },
  { what: 'whole build', of: ({ spent }) => taken(spent) },
  { what: 'the server meanwhile', of: ({ server }) => server && `${server.spent.cpuSeconds.toFixed(1)} CPU-s` },
  { what: '`unzip -p`, mean of before and after', of: ({ inflated }) => taken(mean(inflated)) },
  {
    what: 'build by `unzip -p`, time',
    aim: (build) => String(aimsOf(build).times),
    of: (build) => times(build.spent.seconds / mean(build.inflated).seconds, aimsOf(build).times),
  },
  {
    what: 'build by `unzip -p`, processor time of all',
    of: (build) => times(cpuSecondsOf(build) / mean(build.inflated).cpuSeconds),
  },
  {
    what: 'peak memory of all processes of the build',
    aim: (build) => `${rounded(aimsOf(build).memoryMb)} MB`,
    of: (build) => memory(build.spent.peakMemoryMb, aimsOf(build).memoryMb),
  },
  {
    what: 'peak memory of the server',
    aim: (build) => build.server && `${rounded(aimsOf(build).memoryMb)} MB`,
    of: (build) => build.server && memory(build.server.spent.peakMemoryMb, aimsOf(build).memoryMb),
  },
  { what: 'merging parts afterwards', of: ({ server }) => server && taken(server.merging) },
  { what: 'version on disk', of: ({ report }) => `${rounded(report.warehouseMb)} MB` },
];

export function markdownLines(builds: readonly ComparedBuild[]): string[] {
  const [first] = builds;
  const stages = [...new Set(builds.flatMap((build) => build.stages.map(({ name }) => name)))];
  const columns = <Row>(cell: (row: Row, build: ComparedBuild) => string | null | undefined): Column<Row>[] =>
    builds.map((build) => ({ head: build.title, align: 'right', cell: (row) => cell(row, build) ?? undefined }));
  return [
    `Machine: ${machine()}; * misses its aim.`,
    '',
    ...tableLines<Line>(
      'markdown',
      [
        { head: '', align: 'left', cell: ({ what }) => what },
        { head: 'aim', align: 'right', cell: ({ aim }) => (first === undefined ? null : aim?.(first)) ?? '' },
        ...columns<Line>(({ of }, build) => of(build)),
      ],
      LINES.filter(({ of }) => builds.some((build) => of(build) !== null)),
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
