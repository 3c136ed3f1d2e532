import { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { messageOf } from '../wire/violations.ts';
import type { Command, CommandContext, Typed, WordsOf } from './command.ts';
import { spelled } from './command.ts';
import { misused } from './exit.ts';

/** Where commands are carried out: beside the store, in the command line or in a running service. */
export interface Site extends CommandContext {
  readonly store: OrgStore;
  readonly log: Logger;
}

/** Carries out a command. @throws NotDone, and whatever the store throws */
export async function execute(command: Command, typed: Typed, { store, settings, log }: Site): Promise<unknown> {
  const result = await command.run(store, readWords(command, typed), { settings });
  const record = command.record?.(result) ?? null;
  if (record !== null) log.info({ command: command.name, ...record }, 'administration');
  return result;
}

/**
 * What was typed, checked.
 * @throws NotDone with every fault, a line each
 */
export function readWords({ name, words }: Command, typed: Typed): Record<string, unknown> {
  const shape = z.strictObject(Object.fromEntries(Object.entries(words).map(([word, { schema }]) => [word, schema])));
  const { data, error } = shape.safeParse(typed);
  if (error === undefined) return data;
  const faults = error.issues.map((issue) => faultOf(issue, words));
  throw misused([...faults, `Help: npm run admin -- ${name} --help`].join('\n'));
}

function faultOf(issue: z.core.$ZodIssue, words: WordsOf): string {
  const name = String(issue.path[0] ?? '');
  const word = words[name];
  // Only a service of another release has other words than the command line that asks it.
  if (word === undefined) return `${issue.message}: a service of another release is running; restart it`;
  const missing = issue.code === 'invalid_type';
  return `${spelled(name, word)} ${missing ? `is required: ${word.meaning}` : messageOf(issue)}`;
}
