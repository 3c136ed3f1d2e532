import { violated } from '../problem/problem.ts';
import type { AddressPolicy } from './delivery/address.ts';

/**
 * Looks at where an address leads at this moment; whoever sends looks again each time.
 * @param url as endpointUrl gives it
 * @throws Problem UNPROCESSABLE when it may not be called, or its host does not resolve
 */
export async function mustBeCallable(addresses: AddressPolicy, url: string): Promise<void> {
  const refusal = await addresses.refusalOf(new URL(url));
  if (refusal === null) return;
  throw violated([{ pointer: '#/url', code: 'UNPROCESSABLE', detail: refusal }]);
}
