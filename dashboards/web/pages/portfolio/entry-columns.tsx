import { kindName } from '../../charts/carriers.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { NOTHING } from '../../format/numbers.ts';
import { registerWord } from '../../format/register-words.ts';
import type { RowColumn } from '../../frame/row-table.tsx';
import { roleName } from '../../units/roles.ts';
import { type SignalTexts, signalName } from '../../units/signals.ts';
import type { PortfolioEntry } from '../../v1/organisation-answers.ts';
import type { OwnValues } from './own-values.ts';
import type { PortfolioUnit } from './use-portfolio.ts';

/** Columns beside the number of the unit, by their names in the address. */
export const COLUMNS = [
  ...(['name', 'traeger', 'leistung', 'status', 'ort', 'foerderende', 'signale', 'qualitaet'] as const),
  ...(['eigene', 'rolle', 'kennungen', 'seit'] as const),
] as const;

export type ColumnId = (typeof COLUMNS)[number];

/** Own fields have to be chosen: there may be many. */
export const USUAL_COLUMNS = COLUMNS.filter((id) => id !== 'eigene');

export const COLUMN_NAMES: Readonly<Record<ColumnId, string>> = {
  name: 'Name',
  traeger: say('Energieträger', 'Carrier'),
  leistung: say('Leistung', 'Power'),
  status: 'Status',
  ort: say('Ort', 'Town'),
  foerderende: say('Förderende', 'End of support'),
  signale: say('Signale', 'Signals'),
  qualitaet: say('Auffälligkeiten', 'Anomalies'),
  eigene: say('Eigene Felder', 'Own fields'),
  rolle: say('Rolle', 'Role'),
  kennungen: say('Eigene Kennungen', 'Own identifiers'),
  seit: say('Seit', 'Since'),
};

/** What columns are made from; null = not known, or not to be read with this key. */
export interface Known {
  readonly units: ReadonlyMap<string, PortfolioUnit> | null;
  readonly signals: SignalTexts;
  /** Names of rules by id. */
  readonly rules: ReadonlyMap<string, string>;
  readonly own: OwnValues | null;
}

type EntryColumn = RowColumn<PortfolioEntry>;

/** Rules of this severity are no reason to look at a unit. */
const SLIGHT = 'hinweis';

/** @param chosen columns that are shown, apart from that of the number; what is not known is left out */
export function columnsOf(
  chosen: readonly ColumnId[],
  known: Known,
  withRemoved: boolean,
  hrefOf: (mastrNumber: string) => string,
): readonly EntryColumn[] {
  const all = allColumns(known);
  return [
    {
      name: say('Einheit', 'Unit'),
      value: ({ mastrNummer }) => mastrNummer,
      show: ({ mastrNummer }) => (
        <a class="nowrap" href={hrefOf(mastrNummer)}>
          {mastrNummer}
        </a>
      ),
    },
    ...chosen.flatMap((id) => (id === 'eigene' ? ownColumns(known.own) : (all[id] ?? []))),
    ...(withRemoved
      ? [
          {
            name: say('Entfernt', 'Removed'),
            value: ({ entferntAm }: PortfolioEntry) => (entferntAm === null ? null : day(entferntAm)),
          },
        ]
      : []),
  ];
}

/** A column for each own field that some unit has a value of; where none has, one that says so. */
function ownColumns(own: OwnValues | null): readonly EntryColumn[] {
  if (own === null) return [];
  if (own.fields.length === 0) return [{ name: COLUMN_NAMES.eigene, value: () => null }];
  return own.fields.map(({ id, name }) => ({
    name,
    value: ({ mastrNummer }) => own.of(mastrNummer, id),
    show: ({ mastrNummer }) => <bdi class="clamped">{own.of(mastrNummer, id) ?? NOTHING}</bdi>,
  }));
}

function allColumns({ units, signals, rules }: Known): Readonly<Partial<Record<ColumnId, EntryColumn>>> {
  const of = ({ mastrNummer }: PortfolioEntry) => units?.get(mastrNummer);
  const named = (id: ColumnId, value: EntryColumn['value'], more: Partial<EntryColumn> = {}): EntryColumn => ({
    name: COLUMN_NAMES[id],
    value,
    ...more,
  });
  /** A text of somebody else, which may be long. */
  const foreign = (id: ColumnId, value: (entry: PortfolioEntry) => string | null): EntryColumn =>
    named(id, value, { show: (entry) => <bdi class="clamped">{value(entry) ?? NOTHING}</bdi> });
  const dated = (id: ColumnId, value: (entry: PortfolioEntry) => string | null): EntryColumn =>
    named(id, value, { show: (entry) => <span class="nowrap">{value(entry) ?? NOTHING}</span> });
  const has = (field: 'eegFoerderende' | 'signals' | 'auffaelligkeiten'): boolean =>
    [...(units?.values() ?? [])].some((unit) => unit[field] !== undefined);
  const listed = (items: readonly string[] | undefined): string | null => items?.join(', ') || null;
  return {
    rolle: named('rolle', ({ relationType }) => roleName(relationType)),
    kennungen: foreign('kennungen', ({ externalRefs }) => refsText(externalRefs)),
    seit: dated('seit', ({ angelegtAm }) => day(angelegtAm)),
    ...(units === null
      ? {}
      : {
          name: foreign('name', (entry) => of(entry)?.name ?? null),
          traeger: named('traeger', (entry) => {
            const unit = of(entry);
            return unit === undefined ? null : kindName(unit.einheitTyp, unit.energietraeger);
          }),
          leistung: named('leistung', (entry) => of(entry)?.bruttoleistungKw ?? null, { unit: 'kW', numeric: true }),
          status: named('status', (entry) => registerWord(of(entry)?.betriebsStatus ?? '') || null),
          ort: named(
            'ort',
            (entry) => [of(entry)?.ort, of(entry)?.bundesland].filter((part) => part != null).join(', ') || null,
          ),
        }),
    ...(has('eegFoerderende')
      ? {
          foerderende: dated('foerderende', (entry) => {
            const end = of(entry)?.eegFoerderende;
            return end == null ? null : day(end);
          }),
        }
      : {}),
    ...(has('signals')
      ? { signale: named('signale', (entry) => listed(of(entry)?.signals?.map((id) => signalName(id, signals)))) }
      : {}),
    ...(has('auffaelligkeiten')
      ? {
          qualitaet: named('qualitaet', (entry) =>
            listed(
              of(entry)
                ?.auffaelligkeiten?.filter(({ schwere }) => schwere !== SLIGHT)
                .map(({ regel }) => rules.get(regel) ?? regel),
            ),
          ),
        }
      : {}),
  };
}

const refsText = (references: PortfolioEntry['externalRefs']): string | null =>
  Object.entries(references)
    .map(([system, id]) => `${system}: ${id}`)
    .join('; ') || null;
