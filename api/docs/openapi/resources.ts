import type { Operation } from '../../operation/operation.ts';

/**
 * The resources that operations are grouped by, in the order of the documentation: first part of the operation's id.
 */
const RESOURCES = {
  units: 'Assets of the register: lists, search, detail, field catalogue',
  search: 'Units and market actors by name or number, while somebody types',
  aggregations: 'Units counted in groups',
  tiles: 'Units on a map, as vector tiles',
  qualitaet: 'Rules of plausibility, and how many units they apply to',
  region: 'Regional analyses, exact to the day',
  netz: 'Grids: units by operator, voltage level and connection point',
  aenderungen: 'What changed in the register, and how sums moved',
  ausschreibungen: 'Tenders of the Bundesnetzagentur, with their awards',
  reference: 'Values that filters take, with their frequency',
  datasets: 'What is served, as of when, under which licence',
  portfolio: 'The units that an organisation has to do with',
  'custom-fields': 'Fields that an organisation adds to units, and their values',
  contacts: 'People and departments that an organisation deals with',
  'saved-filters': 'Questions about units that an organisation has saved under a name',
  shares: 'Public links to one view of the dashboards each',
  connections: 'Connections to other organisations: invitations, status, units in scope, active fields',
  releases: 'Where an organisation has released its fields for others',
  'shared-fields': 'What the sides of a connection show each other and ask of each other',
  threads: 'Conversations with a partner about units, over a connection',
  messages: 'What both sides write in a thread',
  mailboxes: 'Where the threads of an organisation lie, and who sees them',
  alerts: 'What an organisation is told of when a new version of the register is published',
  events: 'What the alerts of an organisation have found',
  webhooks: 'Addresses that events are delivered to, and the secrets that sign deliveries',
  dumps: 'All units of a version as files; outside of the contract of /v1',
  portal: 'Pages of the delivery log, behind a link; for people, outside of the contract of /v1',
  share: 'Views behind public links; for people, outside of the contract of /v1',
  me: 'Key, organisation, limits',
  usage: 'Calls of the month',
  keys: 'The keys of an organisation: made for its users, and revoked',
  audit: 'What was called, by which key, with what result',
  health: 'Whether the service can do its work',
  index: 'Where a caller begins who knows only the address',
  older: 'The older variant of the interface, deprecated',
  unsubscribe: 'The page that stops e-mails of an alert; for people, outside of the contract of /v1',
  assistant: 'The door for assistants, by the Model Context Protocol; outside of the contract of /v1',
  app: 'Dashboards in the browser; for people, outside of the contract of /v1',
  docs: 'This documentation',
} as const;

/**
 * Finds the resource of an operation.
 * @throws Error when the table does not have it
 */
export function resourceOf({ id }: Operation): keyof typeof RESOURCES {
  const name = id.replace(/\..*$/, '');
  if (Object.hasOwn(RESOURCES, name)) return name as keyof typeof RESOURCES;
  throw new Error(`The operation ${id} belongs to a resource that api/docs/openapi/resources.ts does not describe`);
}

/** Makes a tag for each resource of these operations. */
export function resourceTags(operations: readonly Operation[]): { name: string; description: string }[] {
  const used = new Set<string>(operations.map(resourceOf));
  return Object.entries(RESOURCES)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
