import { type InputOf, rest } from '../../../runtime/command-line/parameter.ts';
import { type AdminCommand, adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { argumentsOf, GRANTS } from '../common/schemas.ts';
import { change, changeLogFields, faultyAlertsNote, formatChange } from './change.ts';

/** The commands `organisations modules|signals|alert-templates set|add|remove`. */

const KINDS = [
  { member: 'modules', noun: 'modules', examples: ['analysis portfolio', 'all'] },
  { member: 'signals', noun: 'signals', examples: ['neu_registriert grossspeicher', 'all'] },
  { member: 'alertTemplates', noun: 'alert-templates', examples: ['NEW_UNIT', 'all'] },
] as const;

/** Each verb computes the new names from the present and the given ones. */
const VERBS = {
  set: {
    summary: (noun: string) => `let an organisation have these ${noun} and no others`,
    next: (_: readonly string[], given: readonly string[]) => given,
  },
  add: {
    summary: (noun: string) => `give an organisation more ${noun}`,
    next: (present: readonly string[], given: readonly string[]) => [...new Set([...present, ...given])],
  },
  remove: {
    summary: (noun: string) => `take ${noun} away from an organisation`,
    next: (present: readonly string[], given: readonly string[]) => present.filter((name) => !given.includes(name)),
  },
} as const;

type Kind = (typeof KINDS)[number];
type Verb = keyof typeof VERBS;

function grant({ member, noun, examples }: Kind, verb: Verb): AdminCommand {
  const known = GRANTS[member];
  const parameters = {
    organisation: organisationArgument,
    names: rest(`any of ${known.join(', ')}; or all`, argumentsOf(known)),
  };
  return adminCommand({
    name: `organisations ${noun} ${verb}`,
    summary: VERBS[verb].summary(noun.replace('-', ' ')),
    examples: examples.map((names) => `stadtwerk ${names}`),
    parameters,
    run: (store, { organisation, names }: InputOf<typeof parameters>) =>
      change(store, organisation, member, (present) => inOrder(known, VERBS[verb].next(present, names))),
    format: formatChange,
    note: faultyAlertsNote,
    logFields: changeLogFields,
  });
}

/** Sorts names in the order of their definition; names that this release does not know follow at the end. */
const inOrder = (known: readonly string[], names: readonly string[]): string[] => [
  ...known.filter((name) => names.includes(name)),
  ...names.filter((name) => !known.includes(name)),
];

export const grantCommands: readonly AdminCommand[] = KINDS.flatMap((kind) =>
  (Object.keys(VERBS) as Verb[]).map((verb) => grant(kind, verb)),
);
