import { z } from 'zod';
import { GUIDES } from '../docs/guides/documents.ts';
import type { Site, SiteOf } from '../docs/site.ts';
import { type Operation, publicOperation } from '../operation/operation.ts';
import { PAGE_POLICY } from '../pages/layout.ts';
import { Asset } from '../wire/asset.ts';
import { entryPoints, entryPointsShape, type ServedData, servedData } from './entry-points.ts';
import { indexPage } from './index-page.ts';

/** The entry of the service, at its root and at /v1: a page for people, an index for programs. */

type Form = 'text/html' | 'application/json';

/**
 * One of the two addresses.
 * @param operations everything that the index lists
 */
function showIndex(id: string, path: '/' | '/v1', siteOf: SiteOf, operations: () => readonly Operation[]) {
  const assets = keptAssets();
  return publicOperation({
    id,
    method: 'GET',
    path,
    summary:
      path === '/' ? 'Entry of the service: a page, or an index' : 'The same entry, for callers who begin at /v1',
    cost: 'cheap',
    source: 'release',
    answer: z.strictObject({ data: entryPointsShape, meta: z.strictObject({}) }),
    otherMedia: { 'text/html': null },
    async handle({ service, media }) {
      const { settings } = service;
      const served = await servedData(service);
      const site = siteOf(settings);
      const form: Form = media === 'text/html' ? media : 'application/json';
      const body = assets(site, form, served, () => {
        if (form === 'text/html') return writeIndexPage(site, path, served, settings.BASE_URL);
        const guides = GUIDES.map((guide) => guide.path);
        return JSON.stringify({ data: entryPoints(served, operations(), guides, settings.BASE_URL), meta: {} });
      });
      return { media: form, headers: form === 'text/html' ? { 'Content-Security-Policy': PAGE_POLICY } : {}, body };
    },
  });
}

const writeIndexPage = (site: Site, path: string, served: ServedData, baseUrl: string): string =>
  site.write({
    path: path.slice(1),
    title: 'Energy asset data service',
    description: 'The German register of energy assets as a REST API',
    form: 'text',
    content: (at) => indexPage(served, baseUrl, at),
  });

/** Keeps each form of the index for as long as site and data stay the same: it is written and compressed once. */
function keptAssets() {
  const kept = new Map<Form, { readonly site: Site; readonly served: ServedData; readonly asset: Asset }>();
  return (site: Site, form: Form, served: ServedData, write: () => string): Asset => {
    const last = kept.get(form);
    const isCurrent = last?.site === site && last.served.asOf === served.asOf && last.served.units === served.units;
    if (last !== undefined && isCurrent) return last.asset;
    const asset = new Asset(write());
    kept.set(form, { site, served, asset });
    return asset;
  };
}

export const indexOperations = (siteOf: SiteOf, operations: () => readonly Operation[]): readonly Operation[] => [
  showIndex('index.root', '/', siteOf, operations),
  showIndex('index.api', '/v1', siteOf, operations),
];
