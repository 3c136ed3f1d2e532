import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { makeKey, makeOrganisation } from './organisation.ts';
import { type Portfolio, portfolioOf } from './portfolio.ts';
import { withKey } from './requests.ts';
import type { OwnSubject, ServiceResponse } from './service.ts';

/** An organisation that arranges its connections over HTTP. */
export interface ManagedSide {
  readonly organisation: OrganisationRow;
  readonly portfolio: Portfolio;
  /** Asks for a path under /v1; without a method it reads. */
  ask(
    path: string,
    method?: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ServiceResponse>;
}

export async function managedSide(service: OwnSubject, name: string): Promise<ManagedSide> {
  const organisation = await makeOrganisation(service.store, { name });
  const { text } = await makeKey(service.store, organisation);
  return {
    organisation,
    portfolio: portfolioOf(service, text),
    ask: (path, method = 'GET', body, headers = {}) =>
      service.send(method, `/v1/${path}`, {
        headers: {
          ...withKey(text),
          ...headers,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}
