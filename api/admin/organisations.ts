import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { refused } from '../../runtime/command-line/exit.ts';
import { argument, option, rest } from '../../runtime/command-line/parameter.ts';
import { counted } from '../../runtime/counted.ts';
import { alertRow, alertsOf } from '../../sql/org/alerts/alerts.ts';
import { DEFAULT_LIMITS, DEFAULT_QUOTA, type LimitChoices, limitsOf, limitsShape } from '../../sql/org/callers.ts';
import { monthRow, monthStatement } from '../../sql/org/calls.ts';
import {
  allOrganisations,
  deleteOrganisation,
  modulesNow,
  type OrganisationRow,
  organisationOf,
  organisationRow,
  organisationToChange,
  organisationToDelete,
  putOrganisation,
} from '../../sql/org/organisations.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import { sql } from '../../sql/org/statement.ts';
import type { Session } from '../../sql/org/store.ts';
import { userRow, usersOf } from '../../sql/org/users.ts';
import { alertHolder, registerQuestion } from '../alerts/question.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';
import { suggestion } from '../wire/nearest.ts';
import { adminCommand } from './common/admin-command.ts';
import { type Asked, logged, organisationCommand } from './common/organisation-command.ts';
import { argumentsOf, count, deadlineOrNone, GRANTS, namesOf, organisationId } from './common/schemas.ts';
import { joined, listing, moment, nameValueLines } from './common/text-table.ts';
import { keysWithUse, keyTable, userTable } from './users-and-keys.ts';

/** What organisations there are, what they have booked, and how much they may ask. */

type Member = 'name' | 'modules' | 'signals' | 'alertTemplates' | 'limits' | 'quota' | 'trialEndsAt';

/** Labels of the members that commands change, and their values as text. */
const MEMBERS: {
  readonly [Name in Member]: readonly [label: string, format: (value: OrganisationRow[Name]) => string];
} = {
  name: ['name', (name) => name],
  modules: ['modules', (names) => joined(names, GRANTS.modules)],
  signals: ['signals', (names) => joined(names, GRANTS.signals)],
  alertTemplates: ['alert templates', (names) => joined(names, GRANTS.alertTemplates)],
  limits: ['limits of its own', (limits) => joined(Object.entries(limits).map(([name, value]) => `${name}=${value}`))],
  quota: ['calls a month', String],
  trialEndsAt: ['end of the trial', (time) => moment(time) ?? 'none'],
};

const shown = <Name extends Member>(member: Name, value: OrganisationRow[Name]): string => MEMBERS[member][1](value);

function describedOrganisation(organisation: OrganisationRow): string {
  const lineOf = <Name extends Member>(member: Name) =>
    [MEMBERS[member][0], shown(member, organisation[member])] as const;
  const [label, modules] = lineOf('modules');
  const ended = modulesNow(organisation, new Date()).length < organisation.modules.length;
  return nameValueLines([
    lineOf('name'),
    ['external id', organisation.externalId],
    ['id', organisation.id],
    [label, ended ? `${modules} (none counts as booked: the trial has ended)` : modules],
    ...(['signals', 'alertTemplates', 'limits', 'quota', 'trialEndsAt'] as const).map(lineOf),
    ['made', moment(organisation.createdAt)],
    ['changed', moment(organisation.updatedAt)],
  ]);
}

interface Change {
  /** External id. */
  readonly organisation: string;
  readonly member: Member;
  readonly before: OrganisationRow[Member];
  readonly after: OrganisationRow[Member];
  readonly changed: boolean;
  /** Names of the alerts that could be evaluated before, and cannot be after. */
  readonly faultyAlerts: readonly string[];
}

/** Most commands set one member of an organisation to something else. */
const changing = {
  locks: organisationToChange,
  format: ({ organisation, member, before, after, changed }: Change) =>
    `${organisation}, ${MEMBERS[member][0]}: ${shown(member, after)} (${changed ? `before: ${shown(member, before)}` : 'as before'})`,
  note: ({ organisation, after, member, faultyAlerts }: Change) =>
    [
      ...(member === 'trialEndsAt' && after !== null && Date.parse(String(after)) <= Date.now()
        ? ['That is past: no module counts as booked any more.']
        : []),
      ...(faultyAlerts.length === 0
        ? []
        : [
            `Faulty from now on: ${counted(faultyAlerts.length, 'alert')} (${faultyAlerts.join(', ')}). ` +
              `The reasons: npm run admin -- alerts list ${organisation}`,
          ]),
    ].join('\n'),
  logFields: logged('organisation', 'member'),
};

async function change<Name extends Member>(
  { session, organisation }: Asked,
  member: Name,
  next: (present: OrganisationRow[Name]) => OrganisationRow[Name],
): Promise<Change> {
  const before = organisation[member];
  const after = next(before);
  const changed = !isDeepStrictEqual(before, after);
  const wanted = { ...organisation, [member]: after, updatedAt: new Date().toISOString() };
  const faultyAlerts = changed ? await madeFaulty(session, organisation, wanted) : [];
  if (changed) await session.run(putOrganisation(wanted));
  return { organisation: organisation.externalId, member, before, after, changed, faultyAlerts };
}

async function madeFaulty(session: Session, before: OrganisationRow, after: OrganisationRow): Promise<string[]> {
  const alerts = await session.rows(alertRow, alertsOf(before.id));
  if (alerts.length === 0) return [];
  const [held, holds] = [await alertHolder(session, before), await alertHolder(session, after)];
  return alerts
    .filter((alert) => registerQuestion(alert, held).fault === null && registerQuestion(alert, holds).fault !== null)
    .map(({ name }) => name);
}

const GRANT_NOUNS = [
  { member: 'modules', noun: 'modules', examples: ['analysis portfolio', 'all'] },
  { member: 'signals', noun: 'signals', examples: ['neu_registriert grossspeicher', 'all'] },
  { member: 'alertTemplates', noun: 'alert-templates', examples: ['NEW_UNIT', 'all'] },
] as const;

/** Each verb computes the new names from the present and the given ones. */
const GRANT_VERBS = {
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

/** Sorts names in the order of their definition; names that this release does not know follow at the end. */
const inOrder = (known: readonly string[], names: readonly string[]): string[] => [
  ...known.filter((name) => names.includes(name)),
  ...names.filter((name) => !known.includes(name)),
];

/** `organisations modules|signals|alert-templates set|add|remove`. */
const grantCommands = GRANT_NOUNS.flatMap(({ member, noun, examples }) =>
  Object.entries(GRANT_VERBS).map(([verb, { summary, next }]) =>
    organisationCommand({
      ...changing,
      name: `organisations ${noun} ${verb}`,
      summary: summary(noun.replace('-', ' ')),
      examples: examples.map((names) => `stadtwerk ${names}`),
      parameters: { names: rest(`any of ${GRANTS[member].join(', ')}; or all`, argumentsOf(GRANTS[member])) },
      run: (asked, { names }) => change(asked, member, (present) => inOrder(GRANTS[member], next(present, names))),
    }),
  ),
);

const LIMITS = Object.keys(DEFAULT_LIMITS);

const DEFAULTS = Object.entries(DEFAULT_LIMITS)
  .map(([name, value]) => `${name}=${value}`)
  .join(', ');

/** A number or a boolean; other text stays text, and the schema of limits refuses it. */
const limitValue = z.union([
  z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }),
  z
    .string()
    .regex(/^[0-9]{1,15}$/)
    .transform(Number),
  z.string(),
]);

/** `standard=120 maxAlerts=50`. */
const limitChoices = z
  .array(z.string())
  .min(1)
  .transform((texts, context): LimitChoices => {
    const refuse = (message: string) => context.issues.push({ code: 'custom', message, input: texts });
    const chosen: Record<string, unknown> = {};
    for (const text of texts) {
      const [name = '', value = ''] = text.split(/=(.*)/s);
      if (!LIMITS.includes(name)) {
        refuse(`has ${JSON.stringify(name)}; it takes ${LIMITS.join(', ')}${suggestion(name, LIMITS)}`);
      } else if (Object.hasOwn(chosen, name)) {
        refuse(`has ${name} more than once`);
      } else {
        chosen[name] = limitValue.parse(value);
      }
    }
    const { data, error } = limitsShape.safeParse(chosen);
    for (const { path } of error?.issues ?? []) {
      const name = String(path[0]);
      const isSwitch = typeof DEFAULT_LIMITS[name as keyof typeof DEFAULT_LIMITS] === 'boolean';
      const rule = isSwitch ? 'it is true or false' : 'it is a whole number such as 120';
      refuse(`has ${name} with a value that is not valid: ${rule}`);
    }
    return data ?? {};
  });

const COUNTS = sql`
  SELECT o.id, (SELECT count(*) FROM users u WHERE u.organisation_id = o.id) AS users,
    (SELECT count(*) FROM api_keys k WHERE k.organisation_id = o.id AND k.revoked_at IS NULL
       AND (k.expires_at IS NULL OR k.expires_at > now())) AS "liveKeys"
  FROM organisations o`;

const countRow = z.strictObject({ id: z.uuid(), users: z.int(), liveKeys: z.int() });

type ListedOrganisation = OrganisationRow & z.infer<typeof countRow> & { readonly modulesNow: readonly string[] };

const lossRow = z.strictObject({
  ...{ users: z.int(), keys: z.int(), portfolioEntries: z.int(), auditEntries: z.int(), endedConnections: z.int() },
});

const losses = (id: string) => sql`
  SELECT (SELECT count(*) FROM users WHERE organisation_id = ${id}::uuid) AS users,
    (SELECT count(*) FROM api_keys WHERE organisation_id = ${id}::uuid) AS keys,
    (SELECT count(*) FROM portfolio_entries WHERE organisation_id = ${id}::uuid) AS "portfolioEntries",
    (SELECT count(*) FROM audit_log WHERE organisation_id = ${id}::uuid) AS "auditEntries",
    (SELECT count(*) FROM connections WHERE initiator_id = ${id}::uuid AND status IN ('PENDING', 'ACCEPTED'))
      + (SELECT count(*) FROM connections WHERE invited_id = ${id}::uuid AND status IN ('PENDING', 'ACCEPTED'))
      AS "endedConnections"`;

const granted = (known: readonly string[]) => namesOf(known).optional().default([]);

export const organisationCommands = [
  adminCommand({
    name: 'organisations create',
    summary: 'make an organisation',
    description: 'It has booked nothing but what --modules says, and has no users and no keys yet.',
    examples: [
      'stadtwerk --name "Stadtwerke Musterstadt" --modules api,analysis,portfolio --signals all',
      'probe --name "Probe GmbH" --modules all --trial-end 2027-01-31',
    ],
    parameters: {
      externalId: argument('the id under which you know it; it cannot be changed later', organisationId()),
      name: option('<name>', 'its name', line(NAME_LENGTH)),
      modules: option('<a,b|all>', `any of ${GRANTS.modules.join(', ')}`, granted(GRANTS.modules)),
      signals: option('<a,b|all>', 'signals that it may see and filter by', granted(GRANTS.signals)),
      alertTemplates: option('<a,b|all>', `any of ${GRANTS.alertTemplates.join(', ')}`, granted(GRANTS.alertTemplates)),
      quota: option('<n>', `calls per calendar month (default: ${DEFAULT_QUOTA})`, count().optional()),
      trialEnd: option(
        '<day>',
        'a calendar day, an RFC 3339 time, or none (default: none)',
        deadlineOrNone().optional(),
      ),
    },
    run: (store, { externalId, trialEnd = null, quota = DEFAULT_QUOTA, ...chosen }) =>
      store.asOperator(async (session) => {
        const present = await session.row(organisationRow, organisationOf(externalId));
        if (present !== null) {
          throw refused(
            `There is an organisation ${externalId} already: ${present.name}\n` +
              `To look at it: npm run admin -- organisations show ${externalId}`,
          );
        }
        const now = new Date().toISOString();
        const made = organisationRow.parse({
          ...{ id: randomUUIDv7(), externalId, ...chosen, limits: {}, quota, trialEndsAt: trialEnd },
          ...{ createdAt: now, updatedAt: now },
        });
        await session.run(putOrganisation(made));
        return made;
      }),
    format: (made) => `Made the organisation ${made.externalId}.\n\n${describedOrganisation(made)}`,
    note: ({ externalId }) =>
      `Next: npm run admin -- users create ${externalId} … and npm run admin -- keys create ${externalId} …`,
    logFields: ({ externalId, id }) => ({ organisation: externalId, id }),
  }),
  adminCommand({
    name: 'organisations list',
    summary: 'the organisations there are',
    examples: [''],
    parameters: {},
    run: (store) =>
      store.asOperator(async (session) => {
        const organisations = await session.rows(organisationRow, allOrganisations());
        const counts = new Map((await session.rows(countRow, COUNTS)).map((count) => [count.id, count]));
        return organisations.flatMap((organisation) => {
          const count = counts.get(organisation.id);
          // It was deleted between the two statements.
          if (count === undefined) return [];
          return [{ ...organisation, modulesNow: modulesNow(organisation, new Date()), ...count }];
        });
      }),
    format: listing<ListedOrganisation>(
      'There are no organisations yet. To make one: npm run admin -- organisations create --help',
      {
        ...{ organisation: 'externalId', name: 'name' },
        'modules now': ({ modulesNow }) => joined(modulesNow, GRANTS.modules),
        ...{ users: 'users', 'live keys': 'liveKeys', 'calls a month': 'quota', 'end of the trial': 'trialEndsAt' },
      },
    ),
  }),
  organisationCommand({
    name: 'organisations show',
    summary: 'an organisation with its users, keys, modules, limits and calls of this month',
    examples: ['stadtwerk', 'stadtwerk --json'],
    run: async ({ session, organisation }) => ({
      organisation: { ...organisation, modulesNow: modulesNow(organisation, new Date()) },
      limits: limitsOf(organisation.limits),
      month: await singleRow(session, monthRow, monthStatement(organisation.id)),
      users: await session.rows(userRow, usersOf(organisation.id)),
      keys: await keysWithUse(session, organisation.id),
    }),
    format: ({ organisation, limits, month, users, keys }) =>
      [
        describedOrganisation(organisation),
        `Calls this month: ${month.used} of ${organisation.quota}`,
        `Limits\n${nameValueLines(Object.entries(limits).map(([name, value]) => [`  ${name}`, String(value)]))}`,
        userTable(users),
        keyTable(keys),
      ].join('\n\n'),
  }),
  organisationCommand({
    ...changing,
    name: 'organisations rename',
    summary: 'give an organisation another name; its external id stays',
    examples: ['stadtwerk "Stadtwerke Musterstadt"'],
    parameters: { name: argument('the new name', line(NAME_LENGTH)) },
    run: (asked, { name }) => change(asked, 'name', () => name),
  }),
  ...grantCommands,
  organisationCommand({
    ...changing,
    name: 'organisations limits set',
    summary: 'give an organisation limits of its own',
    description: `standard, mutation and expensive are calls per minute and key. The defaults: ${DEFAULTS}.`,
    examples: ['stadtwerk standard=120 maxAlerts=50'],
    parameters: { choices: rest('name=value, several at a time', limitChoices) },
    run: (asked, { choices }) => change(asked, 'limits', (present) => ({ ...present, ...choices })),
  }),
  organisationCommand({
    ...changing,
    name: 'organisations limits unset',
    summary: 'let an organisation have the default limits again',
    description: `The defaults: ${DEFAULTS}.`,
    examples: ['stadtwerk standard', 'stadtwerk all'],
    parameters: { names: rest(`any of ${LIMITS.join(', ')}; or all`, argumentsOf(LIMITS)) },
    run: (asked, { names }) =>
      change(asked, 'limits', (present) =>
        Object.fromEntries(Object.entries(present).filter(([name]) => !names.includes(name))),
      ),
  }),
  organisationCommand({
    ...changing,
    name: 'organisations quota',
    summary: 'set how many calls an organisation has in a calendar month',
    examples: ['stadtwerk 250000'],
    parameters: { calls: argument('calls per calendar month', count()) },
    run: (asked, { calls }) => change(asked, 'quota', () => calls),
  }),
  organisationCommand({
    ...changing,
    name: 'organisations trial-end',
    summary: 'set when the trial of an organisation ends, or that it has none',
    description: 'From then on no module counts as booked. A calendar day lasts until its end in Germany.',
    examples: ['stadtwerk 2027-01-31', 'stadtwerk 2027-01-31T18:00:00Z', 'stadtwerk none'],
    parameters: { end: argument('a calendar day, an RFC 3339 time, or none', deadlineOrNone()) },
    run: (asked, { end }) => change(asked, 'trialEndsAt', () => end),
  }),
  organisationCommand({
    name: 'organisations delete',
    summary: 'remove an organisation with everything that belongs to it, its audit log included',
    description:
      'This cannot be undone. Its connections end, whether accepted or not; partners keep them to read, with their threads and ' +
      'its answers to their fields. To keep a copy: npm run admin -- export <organisation> --out <file>',
    examples: ['stadtwerk --yes-delete-everything-of stadtwerk'],
    parameters: { yesDeleteEverythingOf: option('<external-id>', 'the external id once more', z.string()) },
    locks: organisationToDelete,
    takesLong: true,
    async run({ session, organisation: { id, externalId } }, { yesDeleteEverythingOf }) {
      if (yesDeleteEverythingOf !== externalId) {
        throw refused(
          `Nothing was deleted: the organisation's external id is ${externalId}, but ` +
            `--yes-delete-everything-of says ${yesDeleteEverythingOf}`,
        );
      }
      const lost = await singleRow(session, lossRow, losses(id));
      await session.run(deleteOrganisation(id));
      return { organisation: externalId, id, ...lost };
    },
    format: ({ organisation, users, keys, portfolioEntries, auditEntries, endedConnections }) =>
      `Deleted ${organisation} with ${counted(users, 'user')}, ${counted(keys, 'key')}, ` +
      `${counted(portfolioEntries, 'portfolio entry', 'portfolio entries')} and ` +
      `${counted(auditEntries, 'audit entry', 'audit entries')}; ${counted(endedConnections, 'connection')} ended.`,
    logFields: logged('organisation', 'id'),
  }),
];
