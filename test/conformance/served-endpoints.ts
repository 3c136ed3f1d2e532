import { randomUUIDv7 } from 'node:crypto';
import { beforeAll, beforeEach, expect } from 'vitest';
import { type EndpointRow, endpointRow, endpointsOf } from '../../sql/org/webhooks/endpoints.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveSharedFixture } from '../support/service.ts';
import { ALLOWED_HOST } from '../support/webhooks.ts';

export const ENDPOINTS = '/v1/webhooks/endpoints';
export const OWN_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

export const address = (path = ''): string => `https://${ALLOWED_HOST}/${path}`;

/** The webhook endpoints of an organisation. Each test has an organisation of its own. */
interface EndpointsSubject {
  readonly service: OwnSubject;
  /** The id of the organisation at hand. */
  readonly organisation: string;
  /** Its key, with every right. */
  readonly key: string;
  /** @param as another key */
  ask(method: string, path: string, body?: unknown, as?: string): Promise<ServiceResponse>;
  list(): Promise<ServiceResponse>;
  create(body: unknown): Promise<ServiceResponse>;
  change(id: string, body: unknown): Promise<ServiceResponse>;
  secretOf(id: string): Promise<string>;
  rotate(id: string, body?: unknown): Promise<ServiceResponse>;
  /** The rows of the organisation, as they are stored. */
  stored(): Promise<EndpointRow[]>;
  /** Creates an endpoint with a URL of its own. */
  created(body?: object): Promise<{ id: string; secret: string }>;
}

/** Serves the small register to the tests of a file. */
export function serveEndpoints(): EndpointsSubject {
  let service: OwnSubject;
  let organisation: string;
  let key: string;
  beforeAll(async () => {
    service = await serveSharedFixture();
  });
  beforeEach(async () => {
    const made = await makeOrganisation(service.store);
    organisation = made.id;
    key = (await makeKey(service.store, made)).text;
  });

  function ask(method: string, path: string, body?: unknown, as = key): Promise<ServiceResponse> {
    const headers = { ...withKey(as), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
    return service.send(method, path, { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  }
  const create = (body: unknown) => ask('POST', ENDPOINTS, body);

  return {
    get service() {
      return service;
    },
    get organisation() {
      return organisation;
    },
    get key() {
      return key;
    },
    ask,
    create,
    list: () => ask('GET', ENDPOINTS),
    change: (id, body) => ask('PATCH', `${ENDPOINTS}/${id}`, body),
    secretOf: async (id) => (await ask('GET', `${ENDPOINTS}/${id}/secret`)).json.data.secret,
    rotate: (id, body = {}) => ask('POST', `${ENDPOINTS}/${id}/secret`, body),
    stored: () => service.store.asOperator((session) => session.rows(endpointRow, endpointsOf(organisation))),
    async created(body = {}) {
      const response = await create({ url: address(randomUUIDv7()), ...body });
      expect(response.status).toBe(201);
      return response.json.data;
    },
  };
}
