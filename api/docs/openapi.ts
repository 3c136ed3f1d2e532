import { z } from 'zod';
import { type Operation, publicOperation } from '../operation/operation.ts';
import { Asset } from '../wire/asset.ts';
import { openApiDocument } from './openapi/document.ts';

/**
 * The machine-readable description of the interface; the same for all keys.
 * @param operations everything it describes, this one included
 */
export function showOpenApi(operations: () => readonly Operation[]) {
  let kept: { readonly baseUrl: string; readonly asset: Asset } | null = null;
  return publicOperation({
    id: 'docs.openapi',
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    description: 'The same for all keys; what a key may use is told by `GET /v1/me` and `GET /v1/units/fields`.',
    cost: 'cheap',
    source: 'release',
    answer: z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
    async handle({ service }) {
      const baseUrl = service.settings.BASE_URL;
      if (kept?.baseUrl !== baseUrl) {
        kept = { baseUrl, asset: new Asset(JSON.stringify(openApiDocument(operations(), baseUrl))) };
      }
      return { headers: { 'Cache-Control': 'public, max-age=300' }, body: kept.asset };
    },
  });
}
