import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count } from '../../format/numbers.ts';
import { useSource } from '../../frame/source.ts';

/** Says what the figures of the page are, and as of when. */
export function DataNote() {
  const { at } = useNavigation();
  const source = useSource();
  if (source === null) return null;
  return (
    <section class="data-note" aria-labelledby="data-note">
      <h2 id="data-note">{say('Was diese Zahlen sind', 'What these figures are')}</h2>
      <dl>
        <div>
          <dt>{say('Stand', 'As of')}</dt>
          <dd>{day(source.asOf)}</dd>
        </div>
        <div>
          <dt>{say('Umfang', 'Size')}</dt>
          <dd>
            {count(source.rows)}
            {say(' Einheiten', ' units')}
          </dd>
        </div>
        <div>
          <dt>{say('Erneuert', 'Renewed')}</dt>
          <dd>{say(source.updateCycle, 'daily')}</dd>
        </div>
        {source.lizenzen.map(({ url, bezeichnung, bereitsteller }) => (
          <div key={url}>
            <dt>{say('Quelle', 'Source')}</dt>
            <dd>
              {bereitsteller},{' '}
              <a href={url} lang="de">
                {bezeichnung}
              </a>
            </dd>
          </div>
        ))}
      </dl>
      <p>
        {say(
          'Gezählt werden Einheiten, die Strom erzeugen oder speichern; ein Speicher zählt neben der Anlage, die ihn lädt. Leistung ist Bruttoleistung. Betreiber haben einen Monat Zeit, eine Anlage zu melden: die letzten Wochen sind immer zu niedrig. ',
          'Counted are units that generate or store electricity; storage counts beside the unit that charges it. Power is gross power. Operators have one month to report a unit: the last weeks are always too low. ',
        )}
        <a href={at('daten')}>{say('Mehr über die Daten', 'More about the data')}</a>
      </p>
    </section>
  );
}
