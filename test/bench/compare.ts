import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import { freePort } from '../support/listening.ts';
import { type Code, codeOf, ownCode } from './compare/code.ts';
import { type Judged, judged, type Series, type Unit } from './compare/judge.ts';
import { measureBuild } from './ingest/measured-build.ts';
import { type Client, openClient, Refused } from './queries/client.ts';
import { sendSome } from './queries/measure.ts';
import { QUESTIONS } from './queries/questions/all.ts';
import { sampleOf } from './queries/sample.ts';
import { timesOf } from './queries/times.ts';
import { servedVersion } from './queries/version.ts';
import { machine } from './support/machine.ts';
import { type Export, generatedDays, note } from './support/register.ts';
import { peakMemoryMb, processorTime, SERVICE, type Subject, startSubject, stopSubject } from './support/subject.ts';
import { type Column, tableLines } from './support/table.ts';

interface Options {
  /** A commit, as git names it. */
  readonly against: string;
  readonly units: number;
  readonly rounds: number;
  /** No further round begins that would probably end later. */
  readonly seconds?: number;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly cache: string;
}

type Side = 'against' | 'ours';

/** Receives a value of a measure. */
type Take = (name: string, unit: Unit, value: number) => void;

/**
 * This version of the code against another commit, on the same exports: the whole build, the build of the next night on
 * it, and the questions over what was built. The versions take turns, so that what else the machine does meets both.
 */
export async function benchCompare(options: Options): Promise<void> {
  const begun = performance.now();
  mkdirSync(options.cache, { recursive: true });
  const codes = { against: await codeOf(options.against, options.cache), ours: await ownCode() };
  const exports = await generatedDays(options.units, 1, options.cache);
  const measures = new Map<string, { name: string; unit: Unit; against: number[]; ours: number[] }>();
  const take =
    (side: Side): Take =>
    (name, unit, value) => {
      const series = measures.get(name) ?? { name, unit, against: [], ours: [] };
      measures.set(name, series);
      series[side].push(value);
    };
  let rounds = 0;
  for (let longest = 0; rounds < options.rounds; rounds++) {
    const elapsed = performance.now() - begun;
    if (rounds > 0 && elapsed + longest > (options.seconds ?? Number.POSITIVE_INFINITY) * 1000) break;
    note(`Round ${rounds + 1}`);
    // Whoever comes second finds the machine warmer.
    await round(codes, rounds % 2 === 0 ? ['against', 'ours'] : ['ours', 'against'], { exports, take, options });
    longest = Math.max(longest, performance.now() - begun - elapsed);
  }
  print([...measures.values()], codes, { ...options, rounds });
}

interface Round {
  readonly exports: readonly Export[];
  readonly take: (side: Side) => Take;
  readonly options: Options;
}

async function round(codes: Record<Side, Code>, sides: readonly Side[], { exports, take, options }: Round) {
  const folder = mkdtempSync(join(resolve(options.cache), 'compare-'));
  try {
    for (const [night, source] of exports.entries()) {
      for (const side of sides) {
        const what = night === 0 ? 'first build' : 'nightly build';
        note(`  ${what}, ${codes[side].name}`);
        const { spent } = await measureBuild(source, { state: join(folder, side), root: codes[side].root });
        take(side)(`${what}, seconds`, 's', spent.seconds);
        take(side)(`${what}, processors`, 'CPU-s', spent.cpuSeconds);
        take(side)(`${what}, peak memory`, 'MB', spent.peakMemoryMb);
      }
    }
    await ask(codes, sides, folder, take);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A question is asked in blocks, each with other values, in which the versions take turns; the first only warms up. */
const BLOCKS = 5;
const REQUESTS_OF_BLOCK = 15;
const MAX_SECONDS_OF_BLOCK = 5;

/** Asks the services of both versions over what they have built. */
async function ask(codes: Record<Side, Code>, sides: readonly Side[], folder: string, take: (side: Side) => Take) {
  const lacking = sides.find((side) => !existsSync(join(codes[side].root, SERVICE)));
  if (lacking !== undefined) return note(`  ${codes[lacking].name} has no service to measure`);
  note('  questions');
  // Both versions have the same units, so that both are asked the same.
  const sample = await sampleOf(servedVersion(join(folder, 'ours/warehouse')).file);
  const asked: { side: Side; subject: Subject; client: Client }[] = [];
  try {
    for (const side of sides) {
      const subject = await startOver(codes[side], join(folder, side));
      asked.push({ side, subject, client: openClient(subject) });
    }
    for (const question of QUESTIONS) {
      for (let block = 0; block < BLOCKS; block++) {
        // The work that one of them still has after its answers falls on the other equally often.
        const turns = block % 2 === 0 ? asked : asked.toReversed();
        const medians = await blockOf(turns, ({ client }) =>
          sendSome(question, sample, client, {
            requests: REQUESTS_OF_BLOCK,
            seconds: MAX_SECONDS_OF_BLOCK,
            seed: block,
          }),
        );
        if (medians === null)
          note(`    ${question.name}: an earlier release does not know all that block ${block} asks`);
        else if (block > 0) for (const { side, p50 } of medians) take(side)(`${question.name}, p50`, 'ms', p50);
      }
    }
    for (const { side, subject } of asked) {
      take(side)('all questions, processors', 'CPU-s', processorTime(subject) / 1000);
      take(side)('service, peak memory', 'MB', peakMemoryMb(subject.child));
    }
  } finally {
    for (const { subject, client } of asked) {
      client.close();
      await stopSubject(subject);
    }
  }
}

/** Asks one after the other. @returns the median of each; null where one of them refuses a request */
async function blockOf<Asked extends { readonly side: Side }>(
  turns: readonly Asked[],
  send: (one: Asked) => ReturnType<typeof sendSome>,
): Promise<{ readonly side: Side; readonly p50: number }[] | null> {
  const medians = [];
  for (const one of turns) {
    try {
      medians.push({ side: one.side, p50: timesOf((await send(one)).times).p50 });
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
  }
  return medians;
}

async function startOver({ root }: Code, state: string): Promise<Subject> {
  const { warehouse, day } = servedVersion(join(state, 'warehouse'));
  const environment = {
    PORT: String(await freePort()),
    STATE_DIR: join(state, 'service'),
    WAREHOUSE_URL: `duckdb:${warehouse}`,
    ORG_STORE_URL: `pglite:${join(state, 'service/org')}`,
    TODAY: day,
  };
  return startSubject('full', environment, root);
}

function print(
  measures: readonly Series[],
  codes: Record<Side, Code>,
  { units, rounds, json, markdown }: Options,
): void {
  const rows = measures.map(judged);
  const names = { against: codes.against.name, ours: codes.ours.name };
  if (json) {
    process.stdout.write(`${JSON.stringify({ units, rounds, machine: machine(), ...names, measures, rows })}\n`);
    return;
  }
  const worse = rows.filter(({ verdict }) => verdict === 'worse').length;
  const lines = [
    `${units.toLocaleString('en')} units, medians of ${counted(rounds, 'round')}. Machine: ${machine()}`,
    `this:    ${names.ours}`,
    `against: ${names.against}`,
    '',
    ...tableLines(markdown ? 'markdown' : 'text', COLUMNS, rows),
    '',
    worse === 0
      ? 'No step backwards.'
      : `Steps backwards: ${worse}. More rounds, on a quiet machine, tell whether they are.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const number = (
  head: string,
  value: (row: Judged) => number | null,
  digits: (row: Judged) => number,
): Column<Judged> => ({
  head,
  align: 'right',
  cell: (row) => value(row)?.toFixed(digits(row)),
});

const byUnit = ({ unit }: Judged): number => (unit === 'MB' ? 0 : unit === 'ms' ? 2 : 1);

const COLUMNS: readonly Column<Judged>[] = [
  { head: 'measure', align: 'left', cell: ({ name }) => name },
  { head: 'unit', align: 'left', cell: ({ unit }) => unit },
  number('against', ({ against }) => against, byUnit),
  number('this', ({ ours }) => ours, byUnit),
  number(
    'ratio',
    ({ ratio }) => ratio,
    () => 2,
  ),
  { head: '', align: 'left', cell: ({ verdict }) => (verdict === 'alike' ? '' : verdict) },
];
