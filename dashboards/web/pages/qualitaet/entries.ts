import { severityName } from '../../figures/severities.tsx';
import { say } from '../../format/language.ts';
import type { Cell, Table } from '../../frame/table.ts';
import type { Catalogue } from '../../units/catalogue.ts';
import { cellOf, textOf } from '../../units/values.tsx';
import type { Anomaly, Proposal } from '../../v1/quality-answers.ts';
import type { UnitFields } from '../../v1/unit-answers.ts';

/** An entry to be looked at is a rule that applies to a unit, with the values that it compares. */
export interface Entry {
  readonly unit: UnitFields;
  readonly anomaly: Anomaly;
  readonly values: readonly ComparedValue[];
}

interface ComparedValue {
  readonly field: string;
  /** Title of the field. */
  readonly title: string;
  /** As people read it, with its unit of measure. */
  readonly text: string;
  readonly cell: Cell;
  /** Unit of measure; '' = none. */
  readonly measure: string;
  /** null = none is plain. */
  readonly proposal: Proposal | null;
}

const NO_SIGNALS = new Map();

/** @param rule id of the only rule whose entries are wanted; '' = all */
export const entriesOf = (units: readonly UnitFields[], rule: string, catalogue: Catalogue): readonly Entry[] =>
  units.flatMap((unit) => {
    const proposals = listOf<Proposal>(unit.vorschlag);
    return listOf<Anomaly>(unit.auffaelligkeiten)
      .filter(({ regel }) => rule === '' || regel === rule)
      .map((anomaly) => {
        const proposed = proposals.filter(({ regel }) => regel === anomaly.regel);
        const fields = [...new Set([...anomaly.felder, ...proposed.map(({ feld }) => feld)])];
        return { unit, anomaly, values: fields.map((name) => comparedValue(unit, name, proposed, catalogue)) };
      });
  });

function comparedValue(
  unit: UnitFields,
  name: string,
  proposals: readonly Proposal[],
  { byName, titleOf }: Catalogue,
): ComparedValue {
  const field = byName.get(name);
  const proposal = proposals.find(({ feld }) => feld === name) ?? null;
  if (field === undefined) return { field: name, title: name, text: '', cell: null, measure: '', proposal };
  const measure = field.einheit ?? '';
  const value = unit[name];
  const text = textOf(field, value, NO_SIGNALS);
  return {
    ...{ field: name, title: titleOf(field), measure, proposal },
    text: value == null || measure === '' ? text : `${text}\u202f${measure}`,
    cell: cellOf(field, value, NO_SIGNALS),
  };
}

const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? value : []);

export const placeOf = ({ plz, ort, bundesland }: UnitFields): string | null =>
  [[plz, ort].filter((part) => part != null).join(' '), bundesland]
    .filter((part) => part != null && part !== '')
    .join(', ') || null;

/** Why a value is plainly meant; null = none is. */
export const reasonOf = (proposal: Proposal | null): string | null =>
  proposal === null ? null : say(proposal.begruendung, proposal.reason ?? proposal.begruendung);

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * A row for each value that a rule compares, as who corrects entries works them off.
 * @param ruleNames names of rules by id
 * @param linkTo makes the whole address of a unit's page
 */
export const workTable = (
  entries: readonly Entry[],
  ruleNames: ReadonlyMap<string, string>,
  linkTo: (mastrNumber: string) => string,
): Table => ({
  columns: [
    { name: say('Einheit', 'Unit') },
    { name: 'Name' },
    { name: say('Feld', 'Field') },
    { name: say('Wert', 'Value') },
    { name: say('Maßeinheit', 'Measured in') },
    { name: say('Vorschlag', 'Proposal') },
    { name: say('Begründung', 'Reason') },
    { name: say('Regel', 'Rule') },
    { name: say('Was auffiel', 'What was found') },
    { name: say('Schwere', 'Severity') },
    { name: say('Netzbetreiber', 'Grid operator') },
    { name: say('Ort', 'Town') },
    { name: 'Link' },
  ],
  rows: entries.flatMap(({ unit, anomaly, values }) =>
    values.map(({ title, cell, measure, proposal }) => [
      ...[unit.mastrNummer, textOrNull(unit.name), title, cell, measure || null],
      ...[proposal?.wert ?? null, reasonOf(proposal)],
      ...[
        ruleNames.get(anomaly.regel) ?? anomaly.regel,
        say(anomaly.hinweis, anomaly.note),
        severityName(anomaly.schwere),
      ],
      ...[textOrNull(unit.netzbetreiber), placeOf(unit), linkTo(unit.mastrNummer)],
    ]),
  ),
});
