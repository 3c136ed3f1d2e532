import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** True when this machine has a Postgres server to test on. */
export const POSTGRES_HERE = inject('postgres') !== null;

/** The title of a suite on the server; where it is skipped, the title says why. */
export const POSTGRES_SUITE = `Postgres server${POSTGRES_HERE ? '' : ' (not installed: apt-get install postgresql)'}`;

/** @returns the URL of a new, empty database on the server, as the ordinary user that owns it and no other */
export async function freshDatabase(): Promise<string> {
  const name = newName();
  await onServer(await postgresServer(), `CREATE ROLE ${name} LOGIN`);
  return createDatabase(name, name);
}

/**
 * @param url of a database that nobody is connected to
 * @returns the URL of a copy, as the owner of the original
 */
export function copyOfDatabase(url: string): Promise<string> {
  const { username, pathname } = new URL(url);
  return createDatabase(newName(), username, `TEMPLATE ${pathname.slice(1)}`);
}

const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

async function createDatabase(name: string, owner: string, options = ''): Promise<string> {
  const server = await postgresServer();
  await onServer(server, `CREATE DATABASE ${name} OWNER ${owner} ${options}`);
  const url = new URL(server);
  url.username = owner;
  url.pathname = name;
  return url.href;
}

/** @returns the same URL as the superuser */
export function asSuperuser(url: string): string {
  const other = new URL(url);
  other.username = 'postgres';
  return other.href;
}

/** One statement on a connection of its own. */
export async function onServer(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function postgresServer(): Promise<string> {
  const desk = inject('postgres');
  if (desk === null) throw new Error('There is no Postgres server here; skip what needs one (POSTGRES_HERE)');
  const answer = await fetch(desk);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
}
