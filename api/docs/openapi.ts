import { z } from 'zod';
import { publicOperation } from '../operation/operation.ts';
import type { SiteOf } from './site.ts';

/** The machine-readable description of the interface; the same for all keys. */
export const showOpenApi = (siteOf: SiteOf) =>
  publicOperation({
    id: 'docs.openapi',
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    description: 'The same for all keys; what a key may use is told by `GET /v1/me` and `GET /v1/units/fields`.',
    cost: 'cheap',
    source: 'release',
    answer: z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
    async handle({ service }) {
      return { headers: { 'Cache-Control': 'public, max-age=300' }, body: siteOf(service.settings).openApi };
    },
  });
