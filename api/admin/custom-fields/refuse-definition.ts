import { refused } from '../../../runtime/command-line/exit.ts';
import type { DefinitionFault } from '../../custom-fields/rules.ts';

/** @throws CommandFailed listing the faults of a definition by their options, if there are any */
export function refuseDefinition(faults: readonly DefinitionFault[]): void {
  if (faults.length === 0) return;
  throw refused(faults.map(({ member, message }) => `--${member} ${message}`).join('\n'));
}
