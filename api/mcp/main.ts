import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { localAddress } from '../../runtime/local-address.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { OpenApiDocument } from '../docs/openapi/shape.ts';
import { type Ask, askAt } from './ask.ts';
import { mcpServer } from './server.ts';
import { toolsOf } from './tools.ts';

/**
 * `npm run mcp`: the tools for an assistant on this machine, over standard input and output. They ask the service at API, in the name of
 * KEY; without these, the one on this machine, with the key of its demo organisation.
 */

const { HOST, PORT, STATE_DIR } = readSettings();
const { API: url = localAddress(HOST, PORT), KEY: key = keyOfDemo() } = process.env;

function keyOfDemo(): string {
  try {
    return readFileSync(join(STATE_DIR, 'demo-key'), 'utf8').trim();
  } catch {
    return exitWith(`Set KEY to an API key: ${join(STATE_DIR, 'demo-key')} cannot be read`);
  }
}

function exitWith(fault: string): never {
  // Standard output is read as messages.
  process.stderr.write(`${fault}\n`);
  process.exit(1);
}

async function describedInterface(ask: Ask): Promise<OpenApiDocument> {
  try {
    const { status, body } = await ask('/v1/openapi.json');
    if (status === 200) return body as OpenApiDocument;
    return exitWith(`${url}/v1/openapi.json answers ${status}`);
  } catch {
    return exitWith(`No service answers at ${url}. Start one (npm start), or set API to the address of one`);
  }
}

const ask = askAt(url, { authorization: `Bearer ${key}` });
const tools = toolsOf(await describedInterface(ask));
const day = async (): Promise<string | null> =>
  Object((await ask('/v1/datasets/version')).body).data?.exportTag ?? null;

serveStdio(() => mcpServer({ tools, ask, day, url }));
