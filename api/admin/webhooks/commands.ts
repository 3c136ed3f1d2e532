import { changeEndpoint } from '../../webhooks/change.ts';
import { deleteEndpoint } from '../../webhooks/delete.ts';
import { operationCommand } from '../common/operation-command.ts';
import { listEndpoints, showEndpoint } from './list.ts';
import { pingEndpoint } from './ping.ts';

const examples = ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001'];

/** The commands about webhook endpoints, in the order of the help. */
export const webhookCommands = [
  listEndpoints,
  showEndpoint,
  pingEndpoint,
  operationCommand(changeEndpoint, {
    name: 'webhooks disable',
    summary: 'halt deliveries to a webhook endpoint; it keeps its secret and what is due',
    description:
      'Events of the pause are not delivered afterwards by themselves: the organisation replays them, or reads them.',
    sends: { disabled: true },
    examples,
  }),
  operationCommand(changeEndpoint, {
    name: 'webhooks enable',
    summary: 'deliver to a webhook endpoint again, whoever disabled it',
    description: 'What was due when it was disabled goes on. What failed before no longer counts.',
    sends: { disabled: false },
    examples,
  }),
  operationCommand(deleteEndpoint, { name: 'webhooks delete', examples }),
];
