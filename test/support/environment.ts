/** The environment of every process that a test starts, without what the test runner adds to its own. */
export const OF_EVERY_PROCESS: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
