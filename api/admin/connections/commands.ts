import type { AdminCommand } from '../common/admin-command.ts';
import { addConnectionAssets, listConnectionAssetsCommand, removeConnectionAssets } from './assets.ts';
import { inviteToConnection } from './invite.ts';
import { listConnectionsCommand } from './list.ts';
import { showConnectionCommand } from './show.ts';
import { acceptConnection, declineConnection, revokeConnection } from './status.ts';

/** In the order of the help. */
export const connectionCommands: readonly AdminCommand[] = [
  inviteToConnection,
  listConnectionsCommand,
  showConnectionCommand,
  acceptConnection,
  declineConnection,
  revokeConnection,
  addConnectionAssets,
  removeConnectionAssets,
  listConnectionAssetsCommand,
];
