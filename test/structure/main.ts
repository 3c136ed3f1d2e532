import { existsSync } from 'node:fs';
import { OPERATIONS } from '../../api/operations.ts';
import { missingOf } from './complete.ts';
import { cyclesOf } from './cycles.ts';
import { folderGraph, forbiddenImports, importsOf, sourcesBelow } from './graph.ts';

/** Layers, and the layers that each of them may import from. */
const LAYERS = {
  runtime: [],
  sql: ['runtime'],
  ingest: ['runtime', 'sql'],
  api: ['runtime', 'sql'],
  data: ['runtime', 'sql'],
  dashboards: [],
  tools: [],
  test: ['runtime', 'sql', 'ingest', 'api', 'data', 'dashboards', 'tools'],
};

const files = importsOf(Object.keys(LAYERS).filter(existsSync).flatMap(sourcesBelow));
const faults = [
  { title: 'Cycles between files', lines: cyclesOf(files) },
  { title: 'Cycles between folders', lines: cyclesOf(folderGraph(files)) },
  { title: 'Imports against the layers', lines: forbiddenImports(files, LAYERS) },
  { title: 'Operations that are not complete', lines: missingOf(OPERATIONS) },
].filter(({ lines }) => lines.length > 0);

for (const { title, lines } of faults)
  process.stderr.write(`${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`);
if (faults.length > 0) process.exitCode = 1;
else process.stdout.write(`${files.size} files import each other without a cycle.\n`);
