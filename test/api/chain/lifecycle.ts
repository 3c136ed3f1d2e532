import { FRAME, KEY_CHAIN, PUBLIC_CHAIN } from '../../../api/chain/chain.ts';
import { ROUTING_PROBLEMS } from '../../../api/chain/router.ts';
import type { Chain } from '../../../api/chain/step.ts';
import { isPublic } from '../../../api/operation/kinds.ts';
import type { Operation } from '../../../api/operation/operation.ts';

const NAME_WIDTH = 20;
const KIND_WIDTH = 38;
const LINE_WIDTH = 120;

/** Draws the way of a request through the steps: their order, the operations that have them, and the codes of their problems. */
export function lifecycle(operations: readonly Operation[]): string {
  const ofPublic = operations.filter(isPublic);
  const ofKey = operations.filter((operation) => !isPublic(operation));
  return [
    'request',
    ...FRAME.flatMap(({ name, problems }) => line('  |  ', name, '', problems)),
    ...line('  |  ', 'router', '', ROUTING_PROBLEMS),
    '  |',
    '  +--> operations that anybody may call',
    ...stepsOf(PUBLIC_CHAIN, ofPublic, '  |      |  '),
    '  |      v',
    '  |    handler',
    '  |',
    '  +--> operations that need a key, or a link',
    ...stepsOf(KEY_CHAIN, ofKey, '         |  '),
    '         v',
    '       handler',
  ].join('\n');
}

const stepsOf = <Of extends Operation>(chain: Chain<Of>, operations: readonly Of[], margin: string): string[] =>
  chain.entries.flatMap(({ name, kind, problems }) => line(margin, name, kind ?? '', operations.flatMap(problems)));

/** One step; its codes go on in further lines where one does not hold them. */
function line(margin: string, name: string, kind: string, codes: readonly string[]): string[] {
  const begin = `${margin}${name.padEnd(NAME_WIDTH)}${kind.padEnd(KIND_WIDTH)}`;
  const lines = [begin];
  for (const code of new Set(codes)) {
    const last = lines.at(-1) ?? '';
    if (`${last}${code} `.length <= LINE_WIDTH) lines[lines.length - 1] = `${last}${code} `;
    else lines.push(`${margin.padEnd(begin.length)}${code} `);
  }
  return lines.map((text) => text.trimEnd());
}
