/** The receivers of the soak, and what can arrive at them. */

export interface Kind {
  readonly name: string;
  readonly endpoints: number;
  /** True when every message arrives in the end. */
  readonly arrives: boolean;
}

const KINDS = [
  { name: 'healthy', endpoints: 8, arrives: true },
  { name: 'slow', endpoints: 1, arrives: true },
  { name: 'flaky', endpoints: 1, arrives: true },
  { name: 'down at first', endpoints: 1, arrives: true },
  { name: 'endless', endpoints: 1, arrives: true },
  { name: 'failing', endpoints: 1, arrives: false },
  { name: 'hanging', endpoints: 2, arrives: false },
  { name: 'hanging in body', endpoints: 1, arrives: false },
  { name: 'trickling', endpoints: 1, arrives: false },
  { name: 'redirecting', endpoints: 1, arrives: false },
  { name: 'closing', endpoints: 1, arrives: false },
  { name: 'lying', endpoints: 1, arrives: false },
] as const satisfies readonly Kind[];

export type KindName = (typeof KINDS)[number]['name'];

/** Paths of all endpoints, with their kind, in an order in which kinds are spread over organisations. */
export const ENDPOINTS: readonly { readonly path: string; readonly kind: Kind }[] = KINDS.flatMap((kind) =>
  Array.from({ length: kind.endpoints }, (_, index) => ({ path: `/${encodeURIComponent(kind.name)}/${index}`, kind })),
);

/** Endpoints of each organisation of the crowd, as many as one can have; all of them hang. */
export const CROWD_ENDPOINTS = 20;

export const crowdPath = (organisation: number, endpoint: number): string => `/crowd/${organisation}/${endpoint}`;
