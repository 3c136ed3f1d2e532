import { openBridge } from '../../support/clickhouse-bridge.ts';

/**
 * The engine of ClickHouse from the package chdb in a process of its own, behind HTTP on the loopback, over the folder
 * CHDB_FOLDER. Prints the address of the prefix that it is started with.
 */
const bridge = await openBridge();
process.stdout.write(`${JSON.stringify({ url: bridge.url(process.argv[2]!) })}\n`);

const end = async (): Promise<void> => {
  await bridge.close();
  process.exit(0);
};
process.once('SIGTERM', end);
// Whoever measures is gone, however it ended.
process.once('disconnect', end);
