import { type CallToolResult, McpServer, ResourceNotFoundError } from '@modelcontextprotocol/server';
import pLimit from 'p-limit';
import packageJson from '../../package.json' with { type: 'json' };
import { GUIDES, readDocument } from '../docs/guides/documents.ts';
import { shown } from './answer.ts';
import type { Answer, Ask } from './ask.ts';
import { NotAsked, type Question, type Tool } from './tools.ts';

/** The service as assistants use it, by the Model Context Protocol: tools that ask the interface, and texts that explain its words. */

export interface Assistant {
  readonly tools: readonly Tool[];
  /** Asks in the name of whoever runs the assistant. */
  readonly ask: Ask;
  /** The day of the data, YYYY-MM-DD; null where no version is served. */
  day(): Promise<string | null>;
  /** Address of the service, for links. */
  readonly url: string;
}

const INSTRUCTIONS = [
  'The German register of energy assets (Marktstammdatenregister, MaStR); a new version comes each night.',
  'Power is gross capacity. Names of fields and filters are German; energy://glossary and energy://fields explain them.',
  'find_place gives the spelling of places, operators and other names that filters take.',
  'Say with a figure the day of the data (stand) and the link that repeats the question; dataset has the source to name.',
].join(' ');

/** Questions of one tool that are asked side by side. */
const AT_A_TIME = 2;

/** A server for one connection, or for one request. */
export function mcpServer(assistant: Assistant): McpServer {
  const { tools, ask } = assistant;
  const mcp = new McpServer(
    { name: 'energy-asset-data', title: 'German register of energy assets', version: packageJson.version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  // What a tool takes is checked by the interface, which says in its own words what is wrong.
  const { server } = mcp;
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, title, description, input }) => ({
      ...{ name, title, description, inputSchema: input },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined)
      return failure(`There is no tool ${name}. There are ${tools.map((one) => one.name).join(', ')}`);
    try {
      return await call(tool, given, assistant);
    } catch (error) {
      if (error instanceof NotAsked) return failure(error.message);
      throw error;
    }
  });
  server.setRequestHandler('resources/list', () => ({
    resources: RESOURCES.map(({ uri, title, description, mimeType }) => ({
      uri,
      name: title,
      title,
      description,
      mimeType,
    })),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const resource = RESOURCES.find((one) => one.uri === uri);
    if (resource === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: resource.mimeType, text: await resource.read(ask) }] };
  });
  return mcp;
}

async function call(tool: Tool, given: Record<string, unknown>, { ask, day, url }: Assistant): Promise<CallToolResult> {
  const limit = pLimit(AT_A_TIME);
  const questions = tool.questions(given);
  const answers = await Promise.all(
    questions.map((question) => limit(async () => ({ question, answer: await ask(question.address) }))),
  );
  const refused = answers.find(({ answer }) => answer.status !== 200);
  if (refused !== undefined) return failure(wordsOf(refused.answer, refused.question.about));
  const parts = answers.map(({ question, answer }) => {
    const { about, address } = question;
    const { leftOut, ...rest } = shown(answer.body, tool, question);
    return {
      ...(about === null ? {} : { about }),
      ...rest,
      ...(leftOut === 0
        ? {}
        : {
            leftOut: `${leftOut} ${tool.rows?.newestLast === true ? 'earlier' : 'further'} rows; filter more closely, or follow the link`,
          }),
      link: `${url}${address}`,
    };
  });
  const text = { stand: standOf(questions) ?? (await day()), ...(parts.length === 1 ? parts[0] : { answers: parts }) };
  return { content: [{ type: 'text', text: JSON.stringify(text) }] };
}

/** The day whose state was asked for; null: the present one. */
const standOf = ([first]: readonly Question[]): string | null =>
  first === undefined ? null : new URLSearchParams(first.address.split('?')[1]).get('stand');

const failure = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** Writes a problem document as a sentence, with what to do. */
function wordsOf({ status, body }: Answer, about: string | null): string {
  const { title, detail, errors = [], code } = Object(body);
  const faults = (errors as readonly { detail?: string }[]).flatMap((one) => one.detail ?? []);
  const lines = [...new Set([`${title ?? 'The question was refused'} (${code ?? status})`, detail, ...faults])];
  return [...(about === null ? [] : [about]), ...lines.filter((line) => line !== undefined)].join('\n');
}

interface Resource {
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  read(ask: Ask): Promise<string>;
}

const RESOURCES: readonly Resource[] = [
  {
    uri: 'energy://fields',
    title: 'Field catalogue',
    description: 'Every field of an asset: meaning, unit of measure, values, and the filters that take it',
    mimeType: 'application/json',
    read: async (ask) => JSON.stringify(Object((await ask('/v1/units/fields')).body).data),
  },
  ...GUIDES.map((guide) => ({
    uri: `energy://${guide.path.slice(guide.path.lastIndexOf('/') + 1)}`,
    title: guide.title,
    description: guide.about,
    mimeType: 'text/markdown',
    read: async () => readDocument(guide),
  })),
];
