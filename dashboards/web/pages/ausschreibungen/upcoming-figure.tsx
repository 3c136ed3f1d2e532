import { day } from '../../format/dates.ts';
import { Figure } from '../../frame/figure.tsx';
import { ALL_ROUNDS, TENDERS_DATASET } from '../../tenders/rounds.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';

/** Dates ahead, as the law and the Bundesnetzagentur have announced them. */
export function UpcomingFigure({ loaded, name }: { loaded: Loaded<readonly TenderRound[]>; name: string }) {
  return (
    <Figure
      title={`Angekündigte Termine: ${name}`}
      unit="Gebotstermine von heute an"
      loaded={loaded}
      requests={[ALL_ROUNDS]}
      shows="die angekündigten Gebotstermine"
      dataset={TENDERS_DATASET}
      table={(rounds) => ({ columns: [{ name: 'Gebotstermin' }], rows: rounds.map(({ datum }) => [day(datum)]) })}
      empty={(rounds) => (rounds.length === 0 ? 'Für diese Technologie ist kein weiterer Termin bekannt.' : null)}
      note="Menge und Höchstwert eines angekündigten Termins gibt die Bundesnetzagentur einige Wochen vorher bekannt."
      plain
    >
      {(rounds) => (
        <ol class="dates">
          {rounds.map(({ id, datum }) => (
            <li key={id}>
              <time dateTime={datum}>{day(datum)}</time>
            </li>
          ))}
        </ol>
      )}
    </Figure>
  );
}
