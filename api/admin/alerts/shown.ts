import type { AlertRow } from '../../../sql/org/alerts/alerts.ts';
import { type AlertHolder, registerQuestion } from '../../alerts/question.ts';
import { criteriaLine, joined, moment, nameValueLines, table } from '../common/text-table.ts';

/** An alert as a command shows it to the operator. */
export type ShownAlert = Omit<AlertRow, 'savedFilterId'> & {
  /** The saved filter that has the criteria; its name is null when it is gone. */
  readonly savedFilter: { readonly id: string; readonly name: string | null } | null;
};

/**
 * Shows an alert with its fault: that of its last evaluation, or the one that the next would find now, for which nobody
 * knows when it began.
 */
export function shown({ savedFilterId, ...alert }: AlertRow, holder: AlertHolder): ShownAlert {
  const fault = alert.fault ?? registerQuestion({ ...alert, savedFilterId }, holder).fault;
  const name = savedFilterId === null ? null : (holder.filters.get(savedFilterId)?.name ?? null);
  return { ...alert, fault, savedFilter: savedFilterId === null ? null : { id: savedFilterId, name } };
}

const askedUnits = ({ criteria, savedFilter }: ShownAlert, write: (criteria: object) => string): string => {
  if (savedFilter !== null) return `saved filter ${savedFilter.name ?? savedFilter.id}`;
  return Object.keys(criteria ?? {}).length === 0 ? 'every unit' : write(criteria ?? {});
};

const state = ({ enabled, fault }: ShownAlert): string =>
  [enabled ? 'enabled' : 'disabled', ...(fault === null ? [] : ['faulty'])].join(', ');

export const alertTable = (alerts: readonly ShownAlert[]): string =>
  table(
    ['alert', 'template', 'state', 'signals', 'units', 'id'],
    alerts.map((alert) => [
      alert.name,
      alert.template,
      state(alert),
      alert.signals.length === 0 ? null : joined(alert.signals),
      askedUnits(alert, (criteria) => criteriaLine({ ...criteria })),
      alert.id,
    ]),
  );

export const describeAlert = (alert: ShownAlert): string =>
  nameValueLines([
    ['name', alert.name],
    ['id', alert.id],
    ['template', alert.template],
    ...(alert.signals.length === 0 ? [] : [['signals', joined(alert.signals)] as const]),
    ['units', askedUnits(alert, JSON.stringify)],
    ['state', state(alert)],
    ['versions', alert.enabled ? `those published from ${moment(alert.enabledAt)} on` : 'none'],
    ['fault', alert.fault],
    ...(alert.faultySince === null ? [] : [['faulty since', moment(alert.faultySince)] as const]),
    ['made', moment(alert.createdAt)],
    ['changed', moment(alert.updatedAt)],
  ]);

/** Says what it means that an alert is faulty; an empty text when none is. */
export const faultNote = (alerts: readonly ShownAlert[]): string =>
  alerts
    .filter(({ fault }) => fault !== null)
    .map(({ name, fault }) => `${name} is faulty, and fires nothing: ${fault}.`)
    .join('\n');
