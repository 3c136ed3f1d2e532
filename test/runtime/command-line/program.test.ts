import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type CommandInfo, parseArguments } from '../../../runtime/command-line/command.ts';
import { EXIT, failureOf, refused } from '../../../runtime/command-line/exit.ts';
import { argument, choice, flag, mandatoryOption, option, rest } from '../../../runtime/command-line/parameter.ts';
import { runProgram } from '../../../runtime/command-line/program.ts';
import { Locked } from '../../../runtime/lock-file.ts';
import { SettingsError } from '../../../runtime/settings.ts';

const NAME = 'npm run demo --';

const count = z
  .string()
  .regex(/^[0-9]+$/, 'must be a whole number')
  .transform(Number);

const COMMANDS: readonly CommandInfo[] = [
  {
    name: 'trees plant',
    summary: 'plant trees',
    examples: ['oak 3 --depth 2'],
    parameters: {
      kind: choice(argument('the kind', z.string()), ['oak', 'elm']),
      numbers: rest('how many', z.array(z.string()).optional()),
      depth: option('<m>', 'depth of the hole', count),
      waterOften: flag('water them'),
    },
    out: 'the plan',
  },
  { name: 'fell', summary: 'fell trees', parameters: { saw: mandatoryOption('<saw>', 'the saw', count) }, json: false },
];

async function outputOf(line: string, failure?: Error) {
  const out: string[] = [];
  const err: string[] = [];
  const calls: object[] = [];
  const program = {
    name: NAME,
    description: 'Trees.',
    commands: COMMANDS,
    groups: { trees: 'all about trees' },
    async run(command: CommandInfo, { raw, ...invocation }: { raw: Parameters<typeof parseArguments>[1] }) {
      const input = parseArguments(command, raw, { program: NAME });
      if (failure !== undefined) throw failure;
      calls.push({ command: command.name, input, ...invocation });
      return 'done' as const;
    },
    failureOf: (error: unknown) => failureOf(error),
    redact: (text: string) => text.replaceAll('secret', '***'),
  };
  const terminal = {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    input: Readable.from([]),
  };
  const code = await runProgram(program, line.split(' '), terminal);
  return { code, out: out.join(''), err: err.join(''), calls };
}

test('a command gets its checked input, --json and --out', async () => {
  const { code, err, calls } = await outputOf('trees plant oak 1 2 --depth 3 --water-often --json --out plan.txt');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(calls).toEqual([
    {
      command: 'trees plant',
      input: { kind: 'oak', numbers: ['1', '2'], depth: 3, waterOften: true },
      json: true,
      out: 'plan.txt',
    },
  ]);
});

describe('usage errors exit with 2', () => {
  test.each([
    ['trees plant ash', /^error: .*'ash' is invalid for argument 'kind'\. Allowed choices are oak, elm\./],
    ['trees plant oak', /^--depth is required: depth of the hole\nHelp: npm run demo -- trees plant --help\n$/],
    ['trees plant oak --depth x', /^--depth must be a whole number\nHelp: /],
    ['fell', /^error: required option '--saw <saw>' not specified\nHelp: npm run demo -- fell --help\n$/],
    ['fell --saw 1 --json', /^error: unknown option '--json'/],
    ['tree plant', /^error: unknown command 'tree'\n\(Did you mean trees\?\)/],
    ['fell secret', /^error: (?!.*secret)/],
  ])('%s', async (line, message) => {
    const { code, err, calls } = await outputOf(line);
    expect({ code, calls }).toEqual({ code: 2, calls: [] });
    expect(err).toMatch(message);
  });
});

test('help explains parameters, examples and groups', async () => {
  const { code, out } = await outputOf('trees plant --help');
  expect(code).toBe(0);
  expect(out).toContain('Usage: npm run demo -- trees plant [options] <kind> [numbers...]');
  for (const text of ['Plant trees.', '--depth <m>', '(required)', '--out <file>', '--json', 'plant oak 3 --depth 2']) {
    expect(out).toContain(text);
  }
  expect((await outputOf('--help')).out).toMatch(/trees +all about trees/);
});

test.each([
  [refused('There is no wood'), EXIT.refused],
  [new SettingsError('WOOD is not valid'), EXIT.usage],
  [new Locked('Another process fells'), EXIT.locked],
  [new Error('The saw broke'), EXIT.failed],
])('%s has its exit code', async (error, expected) => {
  expect(await outputOf('fell --saw 1', error)).toMatchObject({ code: expected, err: `${error.message}\n`, out: '' });
});
