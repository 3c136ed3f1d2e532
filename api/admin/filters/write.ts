import { changeSavedFilter, createSavedFilter, removeSavedFilter } from '../../saved-filters/write.ts';
import { operationCommand } from '../common/operation-command.ts';

const EXAMPLE = 'stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001';

/** The commands that make, change and delete saved filters. */
export const filterCommands = [
  operationCommand(createSavedFilter, {
    name: 'filters create',
    arguments: ['name'],
    examples: ['stadtwerk "Große Windparks" --criteria criteria.json'],
  }),
  operationCommand(changeSavedFilter, {
    name: 'filters change',
    examples: [`${EXAMPLE} --name "Windparks ab 10 MW"`, `${EXAMPLE} --criteria criteria.json`],
  }),
  operationCommand(removeSavedFilter, { name: 'filters delete', examples: [EXAMPLE] }),
];
