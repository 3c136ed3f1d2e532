import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import type { DatasetVersion, Finding } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import { VERSION } from './version-facts.tsx';

const WEIGHTS: Readonly<Record<string, { readonly name: string; readonly look: string }>> = {
  warnung: { name: 'Warnung', look: 'tag bad' },
  hinweis: { name: 'Hinweis', look: 'tag warn' },
  info: { name: 'Info', look: 'tag' },
};

const COLUMNS: readonly RowColumn<Finding>[] = [
  {
    name: 'Gewicht',
    value: ({ stufe }) => WEIGHTS[stufe]?.name ?? stufe,
    show: ({ stufe }) => <span class={WEIGHTS[stufe]?.look ?? 'tag'}>{WEIGHTS[stufe]?.name ?? stufe}</span>,
  },
  { name: 'Was auffiel', value: ({ text }) => text },
  { name: 'Wie oft', numeric: true, digits: 0, value: ({ anzahl }) => anzahl },
];

/** Lists what the build of the night found in the export, the weightiest first. */
export function FindingsFigure({ loaded }: { loaded: Loaded<DatasetVersion> }) {
  const title = 'Befunde der letzten Nacht';
  return (
    <Figure
      title={title}
      unit="Was beim Lesen des Exports auffiel; ein Datensatz kann mehrfach gezählt sein"
      loaded={loaded}
      requests={[VERSION]}
      shows="die Befunde der letzten Nacht"
      table={({ befunde }) => tableOf(COLUMNS, befunde ?? [])}
      empty={({ befunde }) =>
        befunde === null
          ? 'Der Dienst weiß es von diesem Stand nicht: Eine frühere Fassung hat ihn gebaut.'
          : befunde.length === 0
            ? 'Nichts fiel auf.'
            : null
      }
      note="Warnung: etwas wurde nicht gelesen. Hinweis: einzelne Werte oder Verweise fehlen oder sind unsicher. Info: mit Absicht weggelassen oder berichtigt."
      plain
    >
      {({ befunde }) => <RowTable columns={COLUMNS} rows={befunde ?? []} caption={title} idOf={({ art }) => art} />}
    </Figure>
  );
}
