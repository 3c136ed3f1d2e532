import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FINDINGS } from '../../api/datasets/findings.ts';

/** The documentation is tested in both directions: everything it names exists, and everything that exists is named. */

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const operations = read('docs/operations.md');
const readme = read('README.md');

describe('docs/operations.md', () => {
  const [, findings = ''] = /^## Findings\n([\s\S]*?)^## /m.exec(operations) ?? [];
  const documented = [...findings.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| [^|]+ \|$/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );

  test('lists every kind of finding that reading an export or an award list can produce', () => {
    const kinds = ['ingest/stage/findings.ts', 'ingest/tenders/findings.ts'].flatMap((file) =>
      [...read(file).matchAll(/^ {2}\| '(\w+)'/gm)].map(([, kind]) => kind!),
    );
    expect(kinds.length).toBeGreaterThan(8);
    expect(documented).toEqual(expect.arrayContaining(kinds));
  });

  test('lists every kind of finding about awards and their links', () => {
    const kinds = [...read('sql/warehouse/duckdb/tenders-findings.sql').matchAll(/'(\w+)'(?: AS befund)?, /g)]
      .map(([, kind]) => kind!)
      .filter((kind) => /^(zuschlag|nummer|flurstueck)/.test(kind));
    expect(kinds.length).toBeGreaterThan(8);
    expect(documented).toEqual(expect.arrayContaining(kinds));
  });

  test('lists no finding that the code never produces', () => {
    const sources = [
      'ingest/stage/findings.ts',
      'ingest/tenders/findings.ts',
      'ingest/assembly/account.ts',
      ...['served-units.sql', 'not-served.sql', 'wind-names.sql', 'nep-account.sql', 'tenders-findings.sql'].map(
        (file) => `sql/warehouse/duckdb/${file}`,
      ),
    ]
      .map(read)
      .join();
    for (const kind of documented) expect(sources, kind).toContain(`'${kind}'`);
  });

  test('explains the kinds that GET /v1/datasets/version has a sentence for, and no others', () => {
    expect(Object.keys(FINDINGS).toSorted()).toEqual(documented.toSorted());
  });

  test('generates every secret that compose.yaml needs', () => {
    const required = [...read('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!);
    const [, names = ''] = /for name in ([A-Z ]+); do echo "\$\{name\}_PASSWORD=/.exec(operations) ?? [];
    const made = [...names.split(' ').map((name) => `${name}_PASSWORD`), 'SIGNING_KEY'];
    expect(operations).toContain('SIGNING_KEY=$(openssl');
    expect(new Set(required)).toEqual(new Set(made));
  });
});

describe('README.md and CONTRIBUTING.md', () => {
  test('name only scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const text = `${readme}${read('CONTRIBUTING.md')}`;
    const named = new Set([...text.matchAll(/npm run ([a-z:]+)/g)].map(([, script]) => script!));
    for (const script of named) expect(Object.keys(scripts)).toContain(script);
  });

  test('name only ingest commands that exist', () => {
    const help = execFileSync(process.execPath, [new URL('ingest/main.ts', ROOT).pathname, '--help'], {
      encoding: 'utf8',
    });
    const named = new Set([...`${readme}${operations}`.matchAll(/ingest -- ([a-z]+)/g)].map(([, command]) => command!));
    for (const command of named) expect(help).toMatch(new RegExp(`^  ${command}`, 'm'));
  });
});
