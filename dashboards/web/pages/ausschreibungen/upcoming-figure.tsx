import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { ALL_ROUNDS, TENDERS_DATASET } from '../../tenders/rounds.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';

/** Dates ahead, as the law and the Bundesnetzagentur have announced them. */
export function UpcomingFigure({ loaded, name }: { loaded: Loaded<readonly TenderRound[]>; name: string }) {
  return (
    <Figure
      title={say(`Angekündigte Termine: ${name}`, `Announced dates: ${name}`)}
      unit={say('Gebotstermine von heute an', 'Bid dates from today on')}
      loaded={loaded}
      requests={[ALL_ROUNDS]}
      shows={say('die angekündigten Gebotstermine', 'the announced bid dates')}
      dataset={TENDERS_DATASET}
      table={(rounds) => ({
        columns: [{ name: say('Gebotstermin', 'Bid date') }],
        rows: rounds.map(({ datum }) => [day(datum)]),
      })}
      empty={(rounds) =>
        rounds.length === 0
          ? say(
              'Für diese Technologie ist kein weiterer Termin bekannt.',
              'No further date is known for this technology.',
            )
          : null
      }
      note={say(
        'Menge und Höchstwert eines angekündigten Termins gibt die Bundesnetzagentur einige Wochen vorher bekannt.',
        'The Bundesnetzagentur tells volume and price cap of an announced date some weeks before.',
      )}
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
