/** What people and machines see of a build while it runs. */

export interface Progress {
  /** A stage of the build begins; `total` in `unit`, where it is known. */
  stage(name: string, total?: number, unit?: string): void;
  /** `amount` more of the stage is done. */
  advance(amount: number): void;
  /** Something happened that the stage gets over: a sentence. */
  note(text: string): void;
  /** The last stage has ended. */
  end(): void;
}

interface Stage {
  readonly name: string;
  readonly total: number;
  readonly unit: string;
  readonly begun: number;
  done: number;
}

const REFRESH_MS = 200;
const LINE_MS = 15_000;
const BAR_WIDTH = 24;

/** A bar per stage on a terminal, otherwise a line when a stage begins and every 15 seconds. */
export function humanProgress(out: NodeJS.WriteStream): Progress {
  let stage: Stage | null = null;
  let shown = 0;
  const write = (text: string, final: boolean) => {
    if (out.isTTY) out.write(`\r\x1b[2K${text}${final ? '\n' : ''}`);
    else out.write(`${text}\n`);
  };
  const finish = () => {
    if (stage === null) return;
    write(`${stage.name.padEnd(34)} ${describe(stage)} in ${duration(Date.now() - stage.begun)}`, true);
    stage = null;
  };
  return {
    stage(name, total = 0, unit = '') {
      finish();
      stage = { name, total, unit, begun: Date.now(), done: 0 };
      shown = Date.now();
      if (out.isTTY) write(`${name} …`, false);
    },
    advance(amount) {
      if (stage === null) return;
      stage.done += amount;
      if (Date.now() - shown < (out.isTTY ? REFRESH_MS : LINE_MS)) return;
      shown = Date.now();
      write(
        `${stage.name.padEnd(34)} ${out.isTTY ? `${bar(stage)} ` : ''}${describe(stage)}, ${remaining(stage)}`,
        false,
      );
    },
    note: (text) => write(`  ${text}`, true),
    end: finish,
  };
}

/** One JSON object a line for every stage. */
export function machineProgress(out: NodeJS.WritableStream): Progress {
  let stage: Stage | null = null;
  const finish = () => {
    if (stage === null) return;
    const { name, total, unit, done, begun } = stage;
    out.write(`${JSON.stringify({ event: 'stage', name, done, total, unit, ms: Date.now() - begun })}\n`);
    stage = null;
  };
  return {
    stage(name, total = 0, unit = '') {
      finish();
      stage = { name, total, unit, begun: Date.now(), done: 0 };
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

function describe({ done, total, unit, begun }: Stage): string {
  if (total === 0 && done === 0) return '';
  const rate = done / Math.max(0.001, (Date.now() - begun) / 1000);
  const of = total > 0 ? ` of ${amount(total, unit)}` : '';
  return `${amount(done, unit)}${of}, ${amount(rate, unit)}/s`;
}

function remaining({ done, total, begun }: Stage): string {
  if (total === 0 || done === 0) return `${duration(Date.now() - begun)} so far`;
  return `${duration(((Date.now() - begun) * (total - done)) / done)} left`;
}

function bar({ done, total }: Stage): string {
  const filled = total === 0 ? 0 : Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * done) / total));
  return `[${'█'.repeat(filled)}${'·'.repeat(BAR_WIDTH - filled)}]`;
}

const amount = (value: number, unit: string): string =>
  unit === 'MB' ? `${(value / 1e6).toFixed(0)} MB` : `${Math.round(value).toLocaleString('en')} ${unit}`.trim();

export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
