import { arch, cpus, platform, totalmem } from 'node:os';

/** The machine that measures, in one line. */
export function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${processors.length} processors (${model}), ${memory} GB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}
