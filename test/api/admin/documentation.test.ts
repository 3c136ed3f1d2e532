import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../api/admin/commands.ts';
import { ADMIN_EXITS } from '../../../api/admin/common/failures.ts';
import { readDocument } from '../../../api/admin/transfer/document.ts';
import { SECTIONS } from '../../../api/admin/transfer/sections.ts';
import { EXIT } from '../../../runtime/command-line/exit.ts';
import { runCommandLine } from './console.ts';

/** docs/administration.md names all commands, exit codes and sections, and no others. */

const page = readFileSync(new URL('../../../docs/administration.md', import.meta.url), 'utf8');

/** The command lines of the page, without `npm run admin --`. */
const lines = [...page.matchAll(/npm run (?:-s )?admin -- ([^`\n|;…)]+)/g)].map(([, line]) => line!.trim());

const commandOf = (line: string): string | undefined =>
  COMMANDS.map(({ name }) => name).find((name) => line === name || line.startsWith(`${name} `));

test('names every command', () => {
  const named = new Set(lines.map(commandOf));
  expect(COMMANDS.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});

test.each(lines.filter((line) => line !== '<command>'))('"%s" is accepted by the command line', async (line) => {
  expect(commandOf(line)).toBeDefined();
  // The files do not exist and must not be created. `<connection>` and the like stand for ids.
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
    word.replaceAll('"', '').replace(/^<[a-z]+>$/, '019a0f6e-7c1b-7d52-9f0e-00000000c001'),
  );
  const withoutFiles = words.filter((word, at) => word !== '--out' && words[at - 1] !== '--out');
  const input = withoutFiles.map((word) => (/\.(json|csv)$/.test(word) ? '-' : word));
  let ran = '';
  const { err } = await runCommandLine([...input, '--json'], async ({ name }) => {
    ran = name;
    return {};
  });
  expect({ ran, err }).toEqual({ ran: commandOf(line), err: '' });
});

test('lists every exit code and no other', () => {
  const listed = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(ADMIN_EXITS.map((name) => EXIT[name]));
});

const keyMembers = (key: string | readonly string[]): readonly string[] => (typeof key === 'string' ? [key] : key);

test('shows a valid document and a line for every section', () => {
  const [, example] = /^## One organisation as a document$.*?```json\n(.*?)```/ms.exec(page)!;
  expect(readDocument(example!).lists.map(({ section }) => section.name)).toEqual([
    'users',
    'portfolio',
    'savedFilters',
    'customFields',
    'customFieldValues',
    'contacts',
  ]);
  const listed = [...page.matchAll(/^\| `(\w+)` \| (`\w+`(?:, `\w+`)*) \|/gm)].map(([, name, key]) => ({ name, key }));
  expect(listed).toEqual([
    { name: 'organisation', key: '`externalId`' },
    ...SECTIONS.map(({ name, key }) => ({
      name,
      key: keyMembers(key)
        .map((member) => `\`${member}\``)
        .join(', '),
    })),
  ]);
});

test.each(SECTIONS.map((section) => [section.name, section] as const))(
  'the line of %s separates required members from optional ones',
  (name, { shape, key, defaults }) => {
    const [, members] = new RegExp(`^\\| \`${name}\` \\| [^|]+ \\| (.*) \\|$`, 'm').exec(page)!;
    const [required, optional = []] = members!
      .split(';')
      .map((part) => [...part.matchAll(/`(\w+)`/g)].map(([, word]) => word));
    const everywhere = ['id', 'createdAt', 'updatedAt'];
    const free = Object.keys(defaults('')).filter((member) => ![...everywhere, ...keyMembers(key)].includes(member));
    const all = Object.keys(shape.shape).filter(
      (member) => !keyMembers(key).includes(member) && !everywhere.includes(member),
    );
    expect(required).toEqual(all.filter((member) => !free.includes(member)));
    expect(optional).toEqual(all.filter((member) => free.includes(member)));
  },
);
