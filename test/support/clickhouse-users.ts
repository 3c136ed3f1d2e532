import { readFileSync } from 'node:fs';

/**
 * The users of users.sql as the file that a front end without CREATE USER reads: names, grants, limits and quotas are those of
 * the statements.
 */

const FILES = ['users.sql', 'users-cluster.sql'] as const;

const textOf = (file: (typeof FILES)[number]): string =>
  readFileSync(new URL(`../../sql/warehouse/clickhouse/${file}`, import.meta.url), 'utf8');

/**
 * The server compiles an expression that it has met three times, for 30 ms of a core: over small registers that is a third of
 * its processor time.
 */
const INTERPRETED = ['expressions', 'aggregate_expressions', 'sort_description']
  .map((what) => `<compile_${what}>0</compile_${what}>`)
  .join('');

/** Returns the file, in which each user has the password; `default` is an administrator and has none. */
export function usersFile(password: string, isCluster: boolean): string {
  const statements = FILES.slice(0, isCluster ? 2 : 1)
    .map(textOf)
    .join('\n')
    .replace(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim());
  const all = (pattern: RegExp) =>
    statements.flatMap((statement) => [pattern.exec(statement) ?? []].filter((m) => m[0]));
  const profiles = all(/^CREATE SETTINGS PROFILE IF NOT EXISTS (\w+) SETTINGS (.*)$/).map(([, name, settings = '']) => {
    const each = settings.split(', ').map((text) => limitOf(text));
    return (
      `<${name}>${INTERPRETED}${each.map(({ key, value }) => `<${key}>${value}</${key}>`).join('')}` +
      `<constraints>${each.map(({ key, bounds }) => (bounds === '' ? '' : `<${key}>${bounds}</${key}>`)).join('')}</constraints></${name}>`
    );
  });
  const quotas = all(
    /^CREATE QUOTA IF NOT EXISTS (\w+) KEYED BY (ip_address|user_name) FOR INTERVAL 1 minute MAX (.*) TO (\w+)$/,
  ).map(([, name, key, limits = '', user]) => ({ user, name, text: quotaOf(name, key, limits) }));
  const grants = all(/^(GRANT .*) TO (\w+)$/);
  const users = all(/^CREATE USER IF NOT EXISTS (\w+) .*?(?: SETTINGS PROFILE '(\w+)')?$/).map(([, name, profile]) => {
    const own = grants.filter(([, , user]) => user === name);
    return userOf(
      name ?? '',
      password,
      { profile, quota: quotas.find(({ user }) => user === name)?.name },
      `<grants>${own.map(([, grant]) => `<query>${grant}</query>`).join('')}</grants>`,
    );
  });
  const administrator = userOf('default', '', {}, '<access_management>1</access_management>');
  return `<clickhouse><profiles><default>${INTERPRETED}</default>${profiles.join('')}</profiles><quotas><default/>${quotas.map(({ text }) => text).join('')}</quotas><users>${administrator}${users.join('')}</users></clickhouse>`;
}

/** A setting of a profile, with what statements may make of it. */
function limitOf(text: string): { readonly key: string; readonly value: string; readonly bounds: string } {
  const [, key, value, min, max, fixed] = /^(\w+) = (\d+)(?: MIN (\d+))?(?: MAX (\d+))?( CONST)?$/.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new Error(`users.sql has a limit that this cannot read: ${text}`);
  const bound = (name: string, number: string | undefined) =>
    number === undefined ? '' : `<${name}>${number}</${name}>`;
  return { key, value, bounds: bound('min', min) + bound('max', max) + (fixed === undefined ? '' : '<const/>') };
}

/** @param limits as in `queries = 10, execution_time = 5` */
function quotaOf(name: string | undefined, key: string | undefined, limits: string): string {
  const each = limits.split(', ').map((limit) => limit.replace(/^(\w+) = (\d+)$/, '<$1>$2</$1>'));
  // In the file each user has a share of its own unless something else is said.
  const shares = key === 'ip_address' ? '<keyed_by_ip/>' : '';
  return `<${name}>${shares}<interval><duration>60</duration>${each.join('')}</interval></${name}>`;
}

interface Bounds {
  readonly profile?: string | undefined;
  readonly quota?: string | undefined;
}

const userOf = (
  name: string,
  password: string,
  { profile = 'default', quota = 'default' }: Bounds,
  rights: string,
): string =>
  `<${name}><password>${password}</password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>${quota}</quota>${rights}</${name}>`;
