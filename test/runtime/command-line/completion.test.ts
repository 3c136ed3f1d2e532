import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { CommandInfo } from '../../../runtime/command-line/command.ts';
import { completionScript, SHELLS } from '../../../runtime/command-line/completion.ts';
import { argument, choice, flag } from '../../../runtime/command-line/parameter.ts';

/** Lists what a shell offers behind `npm run demo --`. */

const COMMANDS: readonly CommandInfo[] = [
  {
    name: 'trees plant',
    summary: 'plant trees',
    parameters: { kind: choice(argument('the kind', z.string()), ['oak', 'elm']), waterOften: flag('water them') },
    out: 'the plan',
  },
  { name: 'trees fell', summary: 'fell trees', parameters: {}, json: false },
  { name: 'rest', summary: 'rest', parameters: {} },
];

/** Lets bash complete the last word. */
function offered(...words: readonly string[]): string[] {
  const script = `${completionScript('bash', 'npm run demo --', COMMANDS)}
    ${completionScript('bash', 'npm run other --', [])}
    ${completionScript('bash', 'npm run demo --', COMMANDS)}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _energy_other npm; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

describe('bash offers', () => {
  const typed = ['npm', 'run', 'demo', '--'];

  test('the first words of the commands', () => {
    expect(offered(...typed, '')).toEqual(['completion', 'help', '--help', '--version', 'trees', 'rest']);
  });

  test('the further words of a group', () => {
    expect(offered(...typed, 'trees', '')).toEqual(['--help', 'plant', 'fell']);
  });

  test('options and choices of a command, as far as they begin like what is typed', () => {
    expect(offered(...typed, 'trees', 'plant', '')).toEqual([
      'oak',
      'elm',
      '--water-often',
      '--out',
      '--json',
      '--help',
    ]);
    expect(offered(...typed, 'trees', 'plant', 'oak', '--w')).toEqual(['--water-often']);
    expect(offered(...typed, 'trees', 'fell', '')).toEqual(['--help']);
  });

  test('with options of npm between', () => {
    expect(offered('npm', 'run', '-s', 'demo', '--', 're')).toEqual(['rest']);
  });

  test('nothing of its own for other scripts', () => {
    expect(offered('npm', 'run', 'test', '--', '')).toEqual([]);
    expect(offered('npm', 'demo', '')).toEqual([]);
  });
});

test.each(SHELLS)('%s knows every word of every command', (shell) => {
  const script = completionScript(shell, 'npm run demo --', COMMANDS);
  for (const word of ['trees', 'plant', 'fell', 'rest', 'oak', '--water-often', '--out'])
    expect(script).toContain(word);
});
