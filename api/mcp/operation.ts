import { createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { localAddress } from '../../runtime/local-address.ts';
import type { Settings } from '../../runtime/settings.ts';
import { boundedTurns } from '../access/downloads.ts';
import type { OpenApiDocument } from '../docs/openapi/shape.ts';
import type { SiteOf } from '../docs/site.ts';
import { operation } from '../operation/operation.ts';
import { askAt } from './ask.ts';
import { mcpServer } from './server.ts';
import { type Tool, toolsOf } from './tools.ts';

/** Messages of an organisation at a time. They count in no window; a flood of them holds up whoever sends it, and nobody else. */
const MAX_RUNNING = 4;

/** One message as an assistant sends it; a batch would be work without a bound. */
const message = z.looseObject({ jsonrpc: z.literal('2.0') });

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/** Pages may send messages from this service, this machine, and where the operator lets pages call it (CORS_ORIGINS). */
const mayCome = (origin: string, { BASE_URL, CORS_ORIGINS: origins }: Settings): boolean =>
  [new URL(BASE_URL).origin, ...origins].includes(origin) || origins.includes('*') || LOOPBACK.test(origin);

const FOREIGN_PAGE = {
  jsonrpc: '2.0',
  error: { code: -32000, message: 'Forbidden: the header Origin names a page that may not send messages' },
  id: null,
};

/**
 * The door for assistants: the Model Context Protocol over HTTP, without sessions. Each question of a tool is a call of the same key,
 * which is limited, counted and kept in the audit log as any other; the message around it is not counted.
 */
export const assistantOperation = (siteOf: SiteOf) => {
  const turns = boundedTurns('messages', MAX_RUNNING);
  let kept: { readonly description: unknown; readonly tools: readonly Tool[] } | null = null;
  const toolsAt = (site: ReturnType<SiteOf>): readonly Tool[] => {
    if (kept?.description !== site.openApi) {
      const document = JSON.parse(site.openApi.bytes.toString()) as OpenApiDocument;
      kept = { description: site.openApi, tools: toolsOf(document) };
    }
    return kept.tools;
  };
  return operation({
    id: 'assistant.message',
    method: 'POST',
    path: '/mcp',
    summary: 'Model Context Protocol',
    access: 'api',
    cost: 'cheap',
    metered: false,
    source: 'service',
    relays: true,
    body: message,
    answer: null,
    problems: ['RATE_LIMITED'],
    async handle({ body, caller, relay, service: { settings, warehouse } }) {
      const { headers = {}, credentials = {} } = relay ?? {};
      const sent = new Headers(headers);
      const origin = sent.get('origin');
      if (origin !== null && !mayCome(origin, settings)) return { status: 403, rowCount: null, body: FOREIGN_PAGE };
      // Answers are JSON, so whoever accepts that alone gets them.
      sent.set('accept', 'application/json, text/event-stream');
      const handler = createMcpHandler(
        () =>
          mcpServer({
            tools: toolsAt(siteOf(settings)),
            ask: askAt(localAddress(settings.HOST, settings.PORT), credentials),
            day: async () => warehouse.publications().at(-1)?.exportDay ?? null,
            url: settings.BASE_URL,
          }),
        // A stream would stay open for as long as its reader likes.
        { responseMode: 'json', maxSubscriptions: 0 },
      );
      const request = new Request(`${settings.BASE_URL}/mcp`, {
        method: 'POST',
        headers: sent,
        body: JSON.stringify(body),
      });
      const end = await turns.begin(caller.organisation.id);
      try {
        const response = await handler.fetch(request, { parsedBody: body });
        const media = response.headers.get('content-type')?.split(';')[0];
        return {
          status: response.status,
          ...(media === undefined ? {} : { media }),
          rowCount: null,
          body: await response.text(),
        };
      } finally {
        // Others get their turn first.
        setImmediate(end);
      }
    },
  });
};
