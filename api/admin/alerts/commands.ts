import type { AdminCommand } from '../common/admin-command.ts';
import { changeAlert } from './change.ts';
import { createAlert } from './create.ts';
import { listEvaluations } from './evaluations.ts';
import { listAlerts, showAlert } from './list.ts';
import { deleteAlertCommand, disableAlert, enableAlert } from './states.ts';
import { testAlert } from './test.ts';

/** The commands about alerts, in the order of the help. */
export const alertCommands: readonly AdminCommand[] = [
  createAlert,
  listAlerts,
  showAlert,
  changeAlert,
  enableAlert,
  disableAlert,
  deleteAlertCommand,
  testAlert,
  listEvaluations,
];
