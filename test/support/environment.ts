/** What every process that a test starts has in its environment: nothing else of the test runner's own. */
export const OF_EVERY_PROCESS: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
