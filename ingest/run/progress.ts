import { createLogUpdate } from 'log-update';
import { counted } from '../../runtime/counted.ts';

/** Reports the stages of work while it runs. */
export interface Progress {
  /** Begins a stage; `total` is its size in `unit`, where it is known. Units are `MB` (in bytes) or a noun in its plural. */
  stage(name: string, total?: number, unit?: string): void;
  /** Adds an amount to what the stage has done. */
  advance(amount: number): void;
  /** Reports an incident that does not end the stage, as a sentence. */
  note(text: string): void;
  /** Ends the last stage. */
  end(): void;
}

interface Stage {
  readonly name: string;
  readonly total: number;
  readonly unit: string;
  readonly startedAt: number;
  done: number;
}

const newStage = (name: string, total: number, unit: string): Stage => ({
  name,
  total,
  unit,
  startedAt: Date.now(),
  done: 0,
});

/**
 * Shows people a line per stage: on a terminal one that changes in place, otherwise plain lines. Nothing can be redrawn on a
 * terminal that does not say how wide it is.
 */
export const humanProgress = (out: NodeJS.WriteStream): Progress =>
  out.isTTY && out.columns > 0 ? terminalProgress(out) : plainProgress(out);

const REFRESH_MS = 200;

/** Draws a bar per stage. No line is wider than the terminal, since a wrapped line could not be redrawn in place. */
function terminalProgress(out: NodeJS.WriteStream): Progress {
  const display = createLogUpdate(out, { showCursor: true });
  let stage: Stage | null = null;
  let drawnAt = 0;
  const draw = (candidates: readonly string[]) => {
    drawnAt = Date.now();
    display(fitting(candidates, out.columns));
  };
  const finish = () => {
    if (stage === null) return;
    display.persist(fitting(finalLines(stage), out.columns));
    stage = null;
  };
  return {
    stage(name, total = 0, unit = '') {
      finish();
      stage = newStage(name, total, unit);
      draw([`${name} …`]);
    },
    advance(amount) {
      if (stage === null) return;
      stage.done += amount;
      if (Date.now() - drawnAt >= REFRESH_MS) draw(progressLines(stage, out.columns));
    },
    note(text) {
      // Written past the display, which would break a long sentence in the middle of a word.
      display.clear();
      out.write(`  ${text}\n`);
      if (stage !== null) draw(progressLines(stage, out.columns));
    },
    end: finish,
  };
}

const LINE_MS = 15_000;

/** Writes a line when a stage ends, and one every 15 seconds while it runs. */
function plainProgress(out: NodeJS.WritableStream): Progress {
  let stage: Stage | null = null;
  let writtenAt = 0;
  const write = (text: string) => void out.write(`${text}\n`);
  const finish = () => {
    if (stage === null) return;
    write(finalLine(stage));
    stage = null;
  };
  return {
    stage(name, total = 0, unit = '') {
      finish();
      stage = newStage(name, total, unit);
      writtenAt = stage.startedAt;
    },
    advance(amount) {
      if (stage === null) return;
      stage.done += amount;
      if (Date.now() - writtenAt < LINE_MS) return;
      writtenAt = Date.now();
      write(`${padded(stage)} ${amounts(stage)}, ${remaining(stage)}`);
    },
    note: (text) => write(`  ${text}`),
    end: finish,
  };
}

/** Writes one JSON object per line: for each stage when it ends, and for each note. */
export function machineProgress(out: NodeJS.WritableStream): Progress {
  let stage: Stage | null = null;
  const finish = () => {
    if (stage === null) return;
    const { name, total, unit, done, startedAt } = stage;
    out.write(`${JSON.stringify({ event: 'stage', name, done, total, unit, ms: Date.now() - startedAt })}\n`);
    stage = null;
  };
  return {
    stage(name, total = 0, unit = '') {
      finish();
      stage = newStage(name, total, unit);
    },
    advance(amount) {
      if (stage !== null) stage.done += amount;
    },
    note: (text) => out.write(`${JSON.stringify({ event: 'note', stage: stage?.name ?? null, text })}\n`),
    end: finish,
  };
}

/** Shows nothing. */
export const silentProgress: Progress = { stage() {}, advance() {}, note() {}, end() {} };

/** The first candidate that fits into the width, else the last one cut off. */
function fitting(candidates: readonly string[], width: number): string {
  const found = candidates.find((line) => line.length < width);
  return found ?? `${(candidates.at(-1) ?? '').slice(0, Math.max(0, width - 2))}…`;
}

const MAX_BAR = 24;
const MIN_BAR = 6;

/** The line of a running stage, from the widest form to the narrowest. */
function progressLines(stage: Stage, width: number): string[] {
  const { name, done, total, unit } = stage;
  const left = remaining(stage);
  const counted =
    total > 0 ? `${amount(done, unit)} of ${amount(total, unit)}, ${left}` : `${amount(done, unit)}, ${left}`;
  const withoutBar = `${name} ${counted}`;
  const room = Math.min(MAX_BAR, width - withoutBar.length - '[] '.length - 1);
  return [
    `${padded(stage)} ${bar(stage, MAX_BAR)} ${amounts(stage)}, ${left}`,
    ...(room >= MIN_BAR ? [`${name} ${bar(stage, room)} ${counted}`] : []),
    withoutBar,
    `${name} ${left}`,
    name,
  ];
}

/** The line of a stage that has ended, from the widest form to the narrowest. */
function finalLines(stage: Stage): string[] {
  const took = `in ${duration(Date.now() - stage.startedAt)}`;
  const { name, done, unit } = stage;
  return [finalLine(stage), `${name} ${done === 0 ? '' : `${amount(done, unit)} `}${took}`, `${name} ${took}`, name];
}

const finalLine = (stage: Stage): string =>
  `${padded(stage)} ${amounts(stage)} in ${duration(Date.now() - stage.startedAt)}`;

const padded = ({ name }: Stage): string => name.padEnd(34);

function amounts({ done, total, unit, startedAt }: Stage): string {
  if (total === 0 && done === 0) return '';
  const rate = done / Math.max(0.001, (Date.now() - startedAt) / 1000);
  const of = total > 0 ? ` of ${amount(total, unit)}` : '';
  return `${amount(done, unit)}${of}, ${amount(rate, unit)}/s`;
}

function remaining({ done, total, startedAt }: Stage): string {
  const elapsed = Date.now() - startedAt;
  if (total === 0 || done === 0) return `${duration(elapsed)} so far`;
  return `${duration((elapsed * (total - done)) / done)} left`;
}

function bar({ done, total }: Stage, width: number): string {
  const filled = total === 0 ? 0 : Math.min(width, Math.round((width * done) / total));
  return `[${'█'.repeat(filled)}${'·'.repeat(width - filled)}]`;
}

function amount(value: number, unit: string): string {
  if (unit === 'MB') return `${(value / 1e6).toFixed(0)} MB`;
  const rounded = Math.round(value);
  return unit === '' ? rounded.toLocaleString('en') : counted(rounded, unit.replace(/s$/, ''));
}

export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
