import { readFileSync } from 'node:fs';
import { DEFAULT_LIMITS, LIMITED_CLASSES } from '../../../sql/org/callers.ts';
import { MODULES, SCOPES } from '../../../sql/org/rights.ts';

/** The introduction: what is true of all operations, and the tables of scopes, modules and cost classes. */
export const introduction = (): string =>
  [
    readFileSync(new URL('introduction.md', import.meta.url), 'utf8'),
    table('Scope', 'What a key with it may do', SCOPES),
    table('Module', 'What an organisation with it may use', MODULES),
    table(
      'Cost class',
      'Calls per minute and key, unless agreed otherwise',
      Object.fromEntries(LIMITED_CLASSES.map((name) => [name, String(DEFAULT_LIMITS[name])])),
    ),
  ].join('\n');

const table = (name: string, meaning: string, rows: Readonly<Record<string, string>>): string =>
  [
    `| ${name} | ${meaning} |`,
    '|---|---|',
    ...Object.entries(rows).map(([key, text]) => `| \`${key}\` | ${text} |`),
    '',
  ].join('\n');
