import { type Role, roleName } from '../../units/roles.ts';
import type { PortfolioEntry, WrittenRow } from '../../v1/organisation-answers.ts';

const OUTCOME_NAMES: Readonly<Record<string, string>> = {
  created: 'wird hinzugefügt',
  updated: 'wird geändert oder wieder aufgenommen',
  unchanged: 'ist schon so eingetragen',
  failed: 'geht nicht',
};

/** Says what becomes of an entry: a former role beside the new one. */
export function outcomeText(
  { externalId, status }: WrittenRow,
  former: ReadonlyMap<string, PortfolioEntry>,
  roleTo: (number: string) => Role,
): string {
  const name = OUTCOME_NAMES[status] ?? status;
  if (externalId === null || (status !== 'created' && status !== 'updated')) return name;
  const before = former.get(externalId);
  const to = roleName(roleTo(externalId));
  if (status === 'created') return `${name}: ${to}`;
  if (before === undefined) return `${name}: ${to}`;
  const from = roleName(before.relationType);
  const change = from === to ? to : `${from} → ${to}`;
  return `${before.entferntAm === null ? 'Rolle wird geändert' : 'wird wieder aufgenommen'}: ${change}`;
}
