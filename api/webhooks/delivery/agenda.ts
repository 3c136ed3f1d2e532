import type { DueEndpoint, Wanted } from '../../../sql/org/webhooks/deliveries.ts';

/** Attempts to one endpoint at once: enough for a healthy one, and no crowd before a door that is closed. */
const WIDTH = 4;
const WIDTH_WHILE_FAILING = 1;

/** Attempts that are under way, by organisation and by endpoint. */
export interface Underway {
  ofOrganisation(organisationId: string): number;
  ofEndpoint(endpointId: string): number;
}

/** A candidate for the next place, with what it would have under way. */
interface Candidate {
  readonly due: DueEndpoint;
  endpoint: number;
  granted: number;
}

/**
 * Shares free places among endpoints for which something is due. Each goes to the organisation that has the fewest attempts
 * under way, there to the endpoint that has the fewest, and among equals to the one that has waited longest. So an organisation
 * with many attempts that hang comes after all that have none.
 */
export function shareOut(places: number, due: readonly DueEndpoint[], underway: Underway): Wanted[] {
  const organisations = new Map<string, { count: number; readonly candidates: Candidate[] }>();
  for (const each of due.toSorted((one, other) => other.waitedMs - one.waitedMs)) {
    const { organisationId, endpointId } = each;
    const endpoint = underway.ofEndpoint(endpointId);
    if (endpoint >= widthOf(each)) continue;
    const organisation = organisations.get(organisationId) ?? {
      count: underway.ofOrganisation(organisationId),
      candidates: [],
    };
    organisation.candidates.push({ due: each, endpoint, granted: 0 });
    organisations.set(organisationId, organisation);
  }
  const waiting = new Set(organisations.values());
  const granted = new Set<Candidate>();
  for (let free = places; free > 0 && waiting.size > 0; free--) {
    const organisation = least(waiting, ({ count }) => count);
    const open = organisation?.candidates.filter(({ due: each, endpoint }) => endpoint < widthOf(each)) ?? [];
    const candidate = least(open, ({ endpoint }) => endpoint);
    if (organisation === undefined || candidate === undefined) break;
    organisation.count += 1;
    candidate.endpoint += 1;
    candidate.granted += 1;
    granted.add(candidate);
    if (open.length === 1 && candidate.endpoint >= widthOf(candidate.due)) waiting.delete(organisation);
  }
  return [...granted].map(({ due: { endpointId }, granted: count }) => ({ endpointId, count }));
}

const widthOf = ({ failing }: DueEndpoint): number => (failing ? WIDTH_WHILE_FAILING : WIDTH);

/** Returns the first of the items for which the measure is least. */
function least<Item>(items: Iterable<Item>, measure: (item: Item) => number): Item | undefined {
  let best: Item | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const value = measure(item);
    if (value < lowest) [best, lowest] = [item, value];
  }
  return best;
}
