import { z } from 'zod';
import { rest } from '../../../runtime/command-line/parameter.ts';
import { DEFAULT_LIMITS, type LimitChoices, limitsShape } from '../../../sql/org/callers.ts';
import { suggestion } from '../../wire/nearest.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { argumentsOf } from '../common/schemas.ts';
import { change, changeLogFields, formatChange } from './change.ts';

const NAMES = Object.keys(DEFAULT_LIMITS);

const DEFAULTS = Object.entries(DEFAULT_LIMITS)
  .map(([name, value]) => `${name}=${value}`)
  .join(', ');

/** `standard=120 maxAlerts=50`. */
const choices = z
  .array(z.string())
  .min(1)
  .transform((texts, context): LimitChoices => {
    const refuse = (message: string) => context.issues.push({ code: 'custom', message, input: texts });
    const chosen: Record<string, unknown> = {};
    for (const text of texts) {
      const [name = '', value = ''] = text.split(/=(.*)/s);
      if (!NAMES.includes(name)) {
        refuse(`has ${JSON.stringify(name)}; it takes ${NAMES.join(', ')}${suggestion(name, NAMES)}`);
      } else if (Object.hasOwn(chosen, name)) {
        refuse(`has ${name} more than once`);
      } else {
        chosen[name] = parsedValue(value);
      }
    }
    const { data, error } = limitsShape.safeParse(chosen);
    for (const { path } of error?.issues ?? [])
      refuse(`has ${String(path[0])} with a value that is not valid: ${rule(String(path[0]))}`);
    return data ?? {};
  });

/** Reads numbers and booleans; other text stays text, and the schema refuses it. */
function parsedValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : text;
}

const rule = (name: string): string =>
  typeof DEFAULT_LIMITS[name as keyof typeof DEFAULT_LIMITS] === 'boolean'
    ? 'it is true or false'
    : 'it is a whole number such as 120';

export const setLimits = adminCommand({
  name: 'organisations limits set',
  summary: 'give an organisation limits of its own',
  description: `standard, mutation and expensive are calls per minute and key. The defaults: ${DEFAULTS}.`,
  examples: ['stadtwerk standard=120 maxAlerts=50'],
  parameters: { organisation: organisationArgument, choices: rest('name=value, several at a time', choices) },
  run: (store, { organisation, choices }) =>
    change(store, organisation, 'limits', (present) => ({ ...present, ...choices })),
  format: formatChange,
  logFields: changeLogFields,
});

export const unsetLimits = adminCommand({
  name: 'organisations limits unset',
  summary: 'let an organisation have the default limits again',
  description: `The defaults: ${DEFAULTS}.`,
  examples: ['stadtwerk standard', 'stadtwerk all'],
  parameters: {
    organisation: organisationArgument,
    names: rest(`any of ${NAMES.join(', ')}; or all`, argumentsOf(NAMES)),
  },
  run: (store, { organisation, names }) =>
    change(store, organisation, 'limits', (present) =>
      Object.fromEntries(Object.entries(present).filter(([name]) => !names.includes(name))),
    ),
  format: formatChange,
  logFields: changeLogFields,
});
