/** The environment of every process that a test starts, without what the test runner adds to its own. */
export const OF_EVERY_PROCESS: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  TMPDIR: process.env.TMPDIR,
};

/**
 * Options of Node for processes that live for a test. The embedded store is WebAssembly: to optimise its code takes a third
 * of the time that a service needs until it listens, and pays only in processes that live longer. A larger young space from
 * the beginning saves a twelfth of the processor time, which collecting it again and again would take.
 */
export const QUICK_START: readonly string[] = ['--liftoff-only', '--min-semi-space-size=16'];

/** Options of Node for the workers of a run: a heap of less than a gigabyte is not marked, which took a tenth of the time of builds. */
export const ROOMY: readonly string[] = ['--initial-old-space-size=1024', '--no-flush-bytecode'];
