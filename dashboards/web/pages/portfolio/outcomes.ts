import { say } from '../../format/language.ts';
import { roleName } from '../../units/roles.ts';
import type { PortfolioEntry, WrittenRow } from '../../v1/organisation-answers.ts';

const OUTCOME_NAMES: Readonly<Record<string, string>> = {
  created: say('wird hinzugefügt', 'will be added'),
  updated: say('wird geändert oder wieder aufgenommen', 'will be changed or taken up again'),
  unchanged: say('ist schon so eingetragen', 'is entered so already'),
  failed: say('geht nicht', 'is not possible'),
};

/** Says what becomes of an entry: a former role beside the new one. */
export function outcomeText(
  { externalId, status }: WrittenRow,
  former: ReadonlyMap<string, PortfolioEntry>,
  roleTo: (number: string) => string,
): string {
  const name = OUTCOME_NAMES[status] ?? status;
  if (externalId === null || (status !== 'created' && status !== 'updated')) return name;
  const before = former.get(externalId);
  const to = roleName(roleTo(externalId));
  if (status === 'created') return `${name}: ${to}`;
  if (before === undefined) return `${name}: ${to}`;
  const from = roleName(before.relationType);
  const change = from === to ? to : `${from} → ${to}`;
  return `${before.entferntAm === null ? say('Rolle wird geändert', 'the role will be changed') : say('wird wieder aufgenommen', 'will be taken up again')}: ${change}`;
}

const VALUE_OUTCOMES: Readonly<Record<string, string>> = {
  created: say('Wert wird geschrieben', 'the value is written'),
  updated: say('Wert wird ersetzt', 'the value is replaced'),
  unchanged: say('hat diesen Wert schon', 'has this value already'),
  failed: say('geht nicht', 'impossible'),
};

/** Says what becomes of the value of an own field. */
export const valueOutcome = ({ status }: WrittenRow): string => VALUE_OUTCOMES[status] ?? status;
