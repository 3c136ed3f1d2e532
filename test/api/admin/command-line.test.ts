import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS, GROUPS } from '../../../api/admin/commands.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { type Output, runCommandLine } from './console.ts';

/** Parsing, help and usage errors, before any store is opened. */

async function outputOf(words: string | readonly string[]): Promise<Output & { ran: boolean }> {
  let ran = false;
  const result = await runCommandLine(words, async () => {
    ran = true;
    return { organisation: {}, arrived: true };
  });
  return { ...result, ran };
}

test.each([
  ['orgnisations list', "error: unknown command 'orgnisations'\n(Did you mean organisations?)\n"],
  ['organisations lst', "error: unknown command 'lst'\n(Did you mean list?)\n"],
  ['organisations modules ad x api', "error: unknown command 'ad'\n(Did you mean add?)\n"],
  ['keys create x --nam y', "error: unknown option '--nam'\n(Did you mean --name?)\n"],
  ['organisations show', "error: missing required argument 'organisation'\n"],
  ['keys revoke a b', "error: too many arguments for 'revoke'. Expected 1 argument but got 2.\n"],
])('%s exits with 2, the nearest word and the way to help', async (line, expected) => {
  const result = await outputOf(line);
  expect(result).toMatchObject({ code: 2, out: '', ran: false });
  expect(result.err.startsWith(expected)).toBe(true);
  expect(result.err).toMatch(/\nHelp: npm run admin -- ([a-z-]+ )*--help\n$/);
});

test.each([
  ['organisations create a/b --name x', /^<external-id> must be 1 to 100 letters, digits and/],
  ['organisations create 018f6b5e-0000-7000-8000-000000000000 --name x', /^<external-id> must not look like a UUID/],
  ['organisations create a --name x --modules api,portfolo', /^--modules has "portfolo"; .*did you mean portfolio\?/],
  ['organisations create a --name x --signals groszspeicher', /^--signals has .*did you mean grossspeicher\?/],
  ['organisations create a --name x --alert-templates NEW_UNITS', /^--alert-templates .*did you mean NEW_UNIT\?/],
  ['organisations create a --name x --quota 1e5', /^--quota must be a whole number such as 100000/],
  ['organisations create a --name x --trial-end 2027-02-29', /^--trial-end must be a day that exists/],
  ['organisations create a --name x --trial-end 31.1.2027', /^--trial-end must be a day that exists/],
  ['organisations modules add a portfolio analisis', /^<names\.\.\.> has "analisis"; .*did you mean analysis\?/],
  ['organisations limits set a standrd=5', /^<choices\.\.\.> has "standrd"; .*did you mean standard\?/],
  ['organisations limits set a standard=0', /^<choices\.\.\.> has standard with .*it is a whole number/],
  ['organisations limits set a standard', /^<choices\.\.\.> has standard with .*it is a whole number/],
  ['organisations limits set a webhooksEnabled=yes', /^<choices\.\.\.> has webhooksEnabled .*it is true or false/],
  ['organisations limits set a standard=1 standard=2', /^<choices\.\.\.> has standard more than once/],
  ['organisations limits unset a maxAlrts', /^<names\.\.\.> has "maxAlrts"; .*did you mean maxAlerts\?/],
  ['organisations delete a', /^--yes-delete-everything-of is required: the external id once more/],
  ['users create a b --name x --role chief', /^--role must be one of owner, admin, member/],
  ['users create a b --name x --role owner --email nobody', /^--email must be an e-mail address/],
  ['keys create a --name x --scopes units:raed', /^--scopes has "units:raed"; .*did you mean units:read\?/],
  ['keys create a --name x --scopes all --environment prod', /^--environment must be live or test/],
  ['keys create a --name x --scopes all --expires 2020-01-01', /^--expires must lie ahead/],
  ['audit a --limit 0x10', /^--limit must be a whole number/],
])('%s exits with 2 and says what is expected', async (line, expected) => {
  const result = await outputOf(line);
  expect(result).toMatchObject({ code: 2, out: '', ran: false });
  expect(result.err).toMatch(expected);
  expect(result.err).toMatch(/\nHelp: npm run admin -- [a-z -]+ --help\n$/);
});

test('all faults of a line are reported at once', async () => {
  const { err } = await outputOf('keys create a --scopes x --environment y --expires z');
  expect(err.split('\n').map((line) => line.split(' ')[0])).toEqual([
    '--name',
    '--scopes',
    '--environment',
    '--expires',
    'Help:',
    '',
  ]);
});

test.each(['keys', 'keys revoke', 'keys list a', 'nonsense', 'keys create a --name', 'keys create a --nme'])(
  'a whole key after "%s" is not repeated',
  async (words) => {
    const secret = `mds_live_Ab3dEf6h_${'S3cr3t'.repeat(9)}`;
    const { out, err } = await outputOf(`${words} ${secret}`);
    expect(out + err).not.toContain('S3cr3tS3cr3t');
  },
);

test('a missing file is named', async () => {
  expect(await outputOf('import /nowhere/document.json')).toMatchObject({
    code: 5,
    ran: false,
    err: "Cannot read /nowhere/document.json: ENOENT: no such file or directory, open '/nowhere/document.json'\n",
  });
});

test.each(COMMANDS.map((command) => [command.name, command] as const))('%s explains itself', async (name, command) => {
  const { code, out, ran } = await outputOf(`${name} --help`);
  expect({ code, ran }).toEqual({ code: 0, ran: false });
  expect(out).toContain(`Usage: npm run admin -- ${name} [options]`);
  expect(out).toContain('--json');
  for (const example of command.examples) expect(out).toContain(`npm run admin -- ${name} ${example}`.trimEnd());
});

/** The files that examples name. */
const FILES = [
  'stadtwerk.json',
  'units.txt',
  'text.txt',
  'attachments.json',
  'contact.json',
  'change.json',
  'contacts.csv',
  'criteria.json',
];

describe('in a folder with documents', () => {
  const folder = temporaryFolder();
  const before = process.cwd();

  beforeAll(() => {
    process.chdir(folder.path);
    for (const name of FILES) writeFileSync(name, '{}');
  });

  afterEach(() => {
    for (const made of ['import-key', 'copy.json']) rmSync(made, { force: true });
  });

  afterAll(() => {
    process.chdir(before);
    folder.remove();
  });

  test.each(COMMANDS.flatMap(({ name, examples }) => examples.map((example) => [`${name} ${example}`.trimEnd()])))(
    'the example "%s" is accepted',
    async (line) => {
      // Splits the line as a shell does; redirections belong to the shell.
      const words = (line.replace(/ [<>] \S+$/, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) =>
        word.replace(/^(['"])(.*)\1$/, '$2'),
      );
      expect(await outputOf([...words, '--json'])).toMatchObject({ code: 0, ran: true, err: '' });
    },
  );
});

test('every group has a line in the help, and every line a group', () => {
  const groups = COMMANDS.flatMap(({ name }) => {
    const words = name.split(' ').slice(0, -1);
    return words.map((_, depth) => words.slice(0, depth + 1).join(' '));
  });
  expect([...new Set(groups)].sort()).toEqual(Object.keys(GROUPS).sort());
});
