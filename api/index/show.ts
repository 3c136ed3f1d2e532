import { z } from 'zod';
import { GUIDES } from '../docs/guides/documents.ts';
import type { Site, SiteOf } from '../docs/site.ts';
import { LANGUAGES, type Language, type Operation, publicOperation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { PAGE_POLICY } from '../pages/layout.ts';
import { Asset } from '../wire/asset.ts';
import { oneWord } from '../wire/parameters.ts';
import { entryPoints, entryPointsShape, type ServedData, servedData } from './entry-points.ts';
import { indexPage } from './index-page.ts';
import { WELCOME_POLICY, welcomeLead, welcomePage, welcomeTitle } from './welcome-page.ts';

/** The entry of the service: at its root a page that greets people, at /v1 one for developers, at both an index for programs. */

const entry = {
  method: 'GET',
  cost: 'cheap',
  source: 'release',
  answer: z.strictObject({ data: entryPointsShape, meta: z.strictObject({}) }),
  otherMedia: { 'text/html': null },
} as const;

/** @param operations everything that the index lists */
export function indexOperations(siteOf: SiteOf, operations: () => readonly Operation[]): readonly Operation[] {
  const programs = keptAssets(({ served, baseUrl }) => {
    const guides = GUIDES.map((guide) => guide.path);
    return JSON.stringify({ data: entryPoints(served, operations(), guides, baseUrl), meta: {} });
  });
  const developers = keptAssets(({ site, served, baseUrl }) =>
    site.write({
      path: 'v1',
      title: 'Energy asset data service',
      description: 'The German register of energy assets as a REST API',
      form: 'text',
      content: (at) => indexPage(served, baseUrl, at),
    }),
  );
  const people = Object.fromEntries(
    LANGUAGES.map((language) => [
      language,
      keptAssets(({ site, served }) =>
        site.write({
          path: '',
          title: welcomeTitle(language),
          description: welcomeLead(language),
          form: 'welcome',
          language,
          content: (at) => welcomePage(served, language, at),
        }),
      ),
    ]),
  ) as Readonly<Record<Language, Write>>;
  const page = (body: Asset, policy: string, headers: Readonly<Record<string, string>> = {}) => ({
    media: 'text/html',
    headers: { 'Content-Security-Policy': policy, ...headers },
    body,
  });
  const entryOf = async (service: Service): Promise<Entry> => ({
    site: siteOf(service.settings),
    served: await servedData(service),
    baseUrl: service.settings.BASE_URL,
  });
  return [
    publicOperation({
      ...entry,
      id: 'index.root',
      path: '/',
      summary: 'Entry of the service: a page, or an index',
      query: z.strictObject({
        sprache: oneWord(LANGUAGES).optional().describe('Language of the page; else that of `Accept-Language`'),
      }),
      languages: LANGUAGES,
      async handle({ service, media, language, query: { sprache } }) {
        const of = await entryOf(service);
        // The language chosen here holds for the pages that the doors lead to.
        const kept = sprache === undefined ? {} : { 'Set-Cookie': languageCookie(sprache, service.settings.BASE_URL) };
        return media === 'text/html'
          ? page(people[language](of), WELCOME_POLICY, kept)
          : { media: 'application/json', body: programs(of) };
      },
    }),
    publicOperation({
      ...entry,
      id: 'index.api',
      path: '/v1',
      summary: 'The same entry, for callers who begin at /v1',
      async handle({ service, media }) {
        const of = await entryOf(service);
        return media === 'text/html'
          ? page(developers(of), PAGE_POLICY)
          : { media: 'application/json', body: programs(of) };
      },
    }),
  ];
}

const languageCookie = (language: Language, baseUrl: string): string =>
  `sprache=${language}; Path=${new URL(baseUrl).pathname}; Max-Age=31536000; SameSite=Lax`;

interface Entry {
  readonly site: Site;
  readonly served: ServedData;
  readonly baseUrl: string;
}

type Write = (entry: Entry) => Asset;

/** Keeps a form of the entry for as long as site and data stay the same: it is written and compressed once. */
function keptAssets(write: (entry: Entry) => string): Write {
  let kept: { readonly of: Entry; readonly asset: Asset } | null = null;
  return (entry) => {
    const { site, served } = entry;
    const { of, asset } = kept ?? {};
    if (asset !== undefined && of?.site === site && of.served.asOf === served.asOf && of.served.units === served.units)
      return asset;
    kept = { of: entry, asset: new Asset(write(entry)) };
    return kept.asset;
  };
}
