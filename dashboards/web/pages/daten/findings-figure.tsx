import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import type { DatasetVersion, Finding } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import { VERSION } from './version-facts.tsx';

const WEIGHTS: Readonly<Record<string, { readonly name: string; readonly look: string }>> = {
  warnung: { name: say('Warnung', 'Warning'), look: 'tag bad' },
  hinweis: { name: say('Hinweis', 'Note'), look: 'tag warn' },
  info: { name: 'Info', look: 'tag' },
};

const COLUMNS: readonly RowColumn<Finding>[] = [
  {
    name: say('Gewicht', 'Weight'),
    value: ({ stufe }) => WEIGHTS[stufe]?.name ?? stufe,
    show: ({ stufe }) => <span class={WEIGHTS[stufe]?.look ?? 'tag'}>{WEIGHTS[stufe]?.name ?? stufe}</span>,
  },
  { name: say('Was auffiel', 'What was found'), value: ({ text, description }) => say(text, description) },
  { name: say('Wie oft', 'How often'), numeric: true, digits: 0, value: ({ anzahl }) => anzahl },
];

/** Lists what the build of the night found in the export, the weightiest first. */
export function FindingsFigure({ loaded }: { loaded: Loaded<DatasetVersion> }) {
  const title = say('Befunde der letzten Nacht', 'Findings of the last night');
  return (
    <Figure
      title={title}
      unit={say(
        'Was beim Lesen des Exports auffiel; ein Datensatz kann mehrfach gezählt sein',
        'What was found while the export was read; a record may be counted more than once',
      )}
      loaded={loaded}
      requests={[VERSION]}
      shows={say('die Befunde der letzten Nacht', 'the findings of the last night')}
      table={({ befunde }) => tableOf(COLUMNS, befunde ?? [])}
      empty={({ befunde }) =>
        befunde === null
          ? say(
              'Der Dienst weiß es von diesem Stand nicht: Eine frühere Fassung hat ihn gebaut.',
              'The service does not know it of this state: an earlier release built it.',
            )
          : befunde.length === 0
            ? say('Nichts fiel auf.', 'Nothing was found.')
            : null
      }
      note={say(
        'Warnung: etwas wurde nicht gelesen. Hinweis: einzelne Werte oder Verweise fehlen oder sind unsicher. Info: mit Absicht weggelassen oder berichtigt.',
        'Warning: something was not read. Note: single values or references are missing or uncertain. Info: left out or corrected on purpose.',
      )}
      plain
    >
      {({ befunde }) => <RowTable columns={COLUMNS} rows={befunde ?? []} caption={title} idOf={({ art }) => art} />}
    </Figure>
  );
}
