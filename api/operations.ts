import type { Settings } from '../runtime/settings.ts';
import { aggregate } from './aggregations/aggregate.ts';
import { filteredSeries } from './aggregations/zeitreihe.ts';
import { UNSUBSCRIBE_PAGES } from './alerts/mail/unsubscribe.ts';
import { changeAlert, createAlert, listAlerts, removeAlert } from './alerts/operations.ts';
import { listRuns } from './alerts/runs.ts';
import { testAlert } from './alerts/test.ts';
import { APP_OPERATIONS } from './app/operations.ts';
import { listAudit } from './audit-log/list.ts';
import { createThread } from './channel/create.ts';
import { listThreads } from './channel/list.ts';
import { listMessages } from './channel/messages.ts';
import { showThread } from './channel/show.ts';
import { writeMessage } from './channel/write.ts';
import { listConnectionAssets } from './connections/assets.ts';
import { changeConnection } from './connections/change.ts';
import { changeConnectionField, listConnectionFields } from './connections/fields.ts';
import { inviteToConnection, listInvitations } from './connections/invitations.ts';
import { listConnections } from './connections/list.ts';
import { addConnectionAssets, removeConnectionAssets } from './connections/scope.ts';
import { showConnection } from './connections/show.ts';
import { listContacts } from './contacts/list.ts';
import { changeContact, createContact, removeContact } from './contacts/write.ts';
import { changeCustomField, createCustomField } from './custom-fields/define.ts';
import { listCustomFields } from './custom-fields/list.ts';
import { putCustomFieldValues } from './custom-fields/put.ts';
import { putValuesOfUnits } from './custom-fields/put-many.ts';
import { listCustomFieldValues } from './custom-fields/values.ts';
import { listValuesOfUnits } from './custom-fields/values-of-units.ts';
import { listDatasets } from './datasets/list.ts';
import { showVersion } from './datasets/version.ts';
import { showOpenApi } from './docs/openapi.ts';
import { pageOperations } from './docs/pages.ts';
import { openSite } from './docs/site.ts';
import { DUMP_OPERATIONS } from './dumps/operations.ts';
import { listEvents } from './events/list.ts';
import { showHealth } from './health/health.ts';
import { listChanges } from './history/aenderungen.ts';
import { unitHistory } from './history/historie.ts';
import { changeOfSum } from './history/summe.ts';
import { indexOperations } from './index/show.ts';
import { createKey, listKeys, removeKey } from './keys/operations.ts';
import { changeMailbox, createMailbox, listMailboxes, removeMailbox } from './mailboxes/operations.ts';
import { assistantOperation } from './mcp/operation.ts';
import { showMe } from './me/me.ts';
import { listGridOperators } from './netz/operators.ts';
import { listConnectionPoints } from './netz/points.ts';
import { showGrid } from './netz/show.ts';
import { OLDER_OPERATIONS } from './older/operations.ts';
import type { Operation } from './operation/operation.ts';
import { listPortfolio } from './portfolio/list.ts';
import { putPortfolioEntries } from './portfolio/put.ts';
import { removePortfolioEntries } from './portfolio/remove.ts';
import { qualityGroups } from './quality/groups.ts';
import { qualityHistory } from './quality/history.ts';
import { showQuality } from './quality/show.ts';
import { listReferenceSets } from './reference/sets.ts';
import { listReferenceValues } from './reference/values.ts';
import { altersstruktur } from './regions/altersstruktur.ts';
import { momentaufnahme } from './regions/momentaufnahme.ts';
import { zeitreihe } from './regions/zeitreihe.ts';
import { addRelease, listReleases, withdrawRelease } from './releases/operations.ts';
import { listSavedFilters } from './saved-filters/list.ts';
import { changeSavedFilter, createSavedFilter, removeSavedFilter } from './saved-filters/write.ts';
import { search } from './search/search.ts';
import { answerSharedFields } from './shared-fields/answer.ts';
import { listSharedFields } from './shared-fields/list.ts';
import { createShare, listShares, removeShare } from './shares/operations.ts';
import { SHARE_PAGES } from './shares/pages.ts';
import { listAwards } from './tenders/awards.ts';
import { listTenders } from './tenders/list.ts';
import { showTile } from './tiles/show.ts';
import { showUnit } from './units/detail.ts';
import { listUnitFields } from './units/fields.ts';
import { listUnits } from './units/list.ts';
import { searchUnits } from './units/search.ts';
import { showUsage } from './usage/usage.ts';
import { changeEndpoint } from './webhooks/change.ts';
import { createEndpoint } from './webhooks/create.ts';
import { deleteEndpoint } from './webhooks/delete.ts';
import { listEndpoints } from './webhooks/list.ts';
import { createPortalLink } from './webhooks/portal/create.ts';
import { PORTAL_PAGES } from './webhooks/portal/pages.ts';
import { rotateSecret } from './webhooks/rotate.ts';
import { showSecret } from './webhooks/secret.ts';
import { showEndpoint } from './webhooks/show.ts';

const described = (): readonly Operation[] => OPERATIONS;

const siteOf = openSite(described);

const MCP = assistantOperation(siteOf);

/** The interface of today, as it is described. */
export const OPERATIONS: readonly Operation[] = [
  listUnits,
  searchUnits,
  listUnitFields,
  showUnit,
  unitHistory,
  listChanges,
  changeOfSum,
  search,
  aggregate,
  filteredSeries,
  showTile,
  showQuality,
  qualityGroups,
  qualityHistory,
  zeitreihe,
  altersstruktur,
  momentaufnahme,
  showGrid,
  listConnectionPoints,
  listGridOperators,
  listTenders,
  listAwards,
  listReferenceSets,
  listReferenceValues,
  listDatasets,
  showVersion,
  listPortfolio,
  putPortfolioEntries,
  removePortfolioEntries,
  listCustomFields,
  createCustomField,
  changeCustomField,
  listCustomFieldValues,
  putCustomFieldValues,
  listValuesOfUnits,
  putValuesOfUnits,
  listContacts,
  createContact,
  changeContact,
  removeContact,
  listSavedFilters,
  createSavedFilter,
  changeSavedFilter,
  removeSavedFilter,
  listShares,
  createShare,
  removeShare,
  listConnections,
  inviteToConnection,
  listInvitations,
  showConnection,
  changeConnection,
  listConnectionAssets,
  addConnectionAssets,
  removeConnectionAssets,
  listConnectionFields,
  changeConnectionField,
  listReleases,
  addRelease,
  withdrawRelease,
  listThreads,
  createThread,
  showThread,
  listMessages,
  writeMessage,
  listMailboxes,
  createMailbox,
  changeMailbox,
  removeMailbox,
  listSharedFields,
  answerSharedFields,
  listAlerts,
  createAlert,
  changeAlert,
  listRuns,
  testAlert,
  removeAlert,
  listEvents,
  listEndpoints,
  createEndpoint,
  showEndpoint,
  changeEndpoint,
  deleteEndpoint,
  showSecret,
  rotateSecret,
  createPortalLink,
  listKeys,
  createKey,
  removeKey,
  listAudit,
  showMe,
  showUsage,
  showHealth,
  ...indexOperations(siteOf, described),
  showOpenApi(siteOf),
  ...pageOperations(siteOf, described),
];

/** Everything the service answers: dumps, the door for assistants, the pages behind links and the dashboards too, and the older variant unless OLDER_API is off. */
export const operationsOf = ({ OLDER_API }: Pick<Settings, 'OLDER_API'>): readonly Operation[] => [
  ...OPERATIONS,
  ...DUMP_OPERATIONS,
  MCP,
  ...PORTAL_PAGES,
  ...UNSUBSCRIBE_PAGES,
  ...SHARE_PAGES,
  ...APP_OPERATIONS,
  ...(OLDER_API === 'off' ? [] : OLDER_OPERATIONS),
];
