/** Scopes of keys and modules of organisations: interface.md, Authentication. */

/** Scopes are chosen when a key is created, and never change. */
export const SCOPES = {
  'units:read': 'Read units, the field catalogue and aggregations',
  'region:read': 'Read regional analyses',
  'reference:read': 'Read reference values and the state of the datasets',
  'portfolio:read': 'Read the portfolio',
  'portfolio:write': 'Change the portfolio',
  'custom_fields:read': 'Read custom fields and their values',
  'custom_fields:write': 'Set values of custom fields',
  'custom_fields:define': 'Make and change custom fields',
  'contacts:read': 'Read the contact directory',
  'contacts:write': 'Make, change and delete contacts',
  'saved_filters:read': 'Read the list of saved filters',
  'saved_filters:write': 'Make, change and delete saved filters',
  'shares:read': 'Read the public links to views',
  'shares:write': 'Make and revoke public links to views',
  'alerts:read': 'Read alerts',
  'alerts:write': 'Make, change and delete alerts',
  'connections:read': 'Read connections and shared fields',
  'connections:write': 'Answer fields that partners ask for',
  'connections:manage': 'Invite, answer and end connections; decide about their units and own fields',
  'mailboxes:read': 'Read mailboxes',
  'mailboxes:write': 'Make, change and delete mailboxes',
  'channel:read': 'Read threads and messages',
  'channel:write': 'Write threads and messages',
  'events:read': 'Read events',
  'webhooks:read': 'Read webhook endpoints and the delivery log',
  'webhooks:manage': 'Change webhook endpoints and read their secrets',
  'keys:read': 'Read the list of keys',
  'keys:write': 'Make and revoke keys',
  'audit:read': 'Read the audit log',
  'ausschreibungen:read': 'Read tenders and awards',
} as const;

export type Scope = keyof typeof SCOPES;

export const isScope = (name: string): name is Scope => Object.hasOwn(SCOPES, name);

export const MODULES = {
  api: 'Access to the API at all',
  analysis: 'Units one by one: lists, search, detail',
  workspace: 'Custom fields and contacts',
  portfolio: 'The portfolio',
  connection: 'Connections to partners, and the message channel',
  ausschreibungen: 'Tenders and awards',
  eeg_verguetung: 'Computed remuneration and end of support',
} as const;

export type Module = keyof typeof MODULES;

/** Operations that an organisation without a module can call instead. */
export const INSTEAD: Partial<Record<Module, string>> = { analysis: 'GET /v1/aggregations' };

export const isModule = (name: string): name is Module => Object.hasOwn(MODULES, name);

export const ROLES = ['owner', 'admin', 'member'] as const;

/** Templates that an alert can be made from. */
export const ALERT_TEMPLATES = {
  NEW_UNIT: { name: 'Neue Anlage', exclusive: false },
  SIGNAL_CHANGE: { name: 'Signaländerung', exclusive: false },
  FIELD_CHANGE: { name: 'Feldänderung', exclusive: false },
  STATUS_CHANGE: { name: 'Statusänderung', exclusive: false },
  COMMISSIONED: { name: 'Inbetriebnahme', exclusive: false },
} as const;

export type AlertTemplate = keyof typeof ALERT_TEMPLATES;

export const ALERT_TEMPLATE_NAMES = Object.keys(ALERT_TEMPLATES) as readonly AlertTemplate[];
