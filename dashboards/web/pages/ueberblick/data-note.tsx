import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
import { count } from '../../format/numbers.ts';
import { useSource } from '../../frame/source.ts';

/** Says what the figures of the page are, and as of when. */
export function DataNote() {
  const { at } = useNavigation();
  const source = useSource();
  if (source === null) return null;
  return (
    <section class="data-note" aria-labelledby="data-note">
      <h2 id="data-note">Was diese Zahlen sind</h2>
      <dl>
        <div>
          <dt>Stand</dt>
          <dd>{day(source.asOf)}</dd>
        </div>
        <div>
          <dt>Umfang</dt>
          <dd>{count(source.rows)} Einheiten</dd>
        </div>
        <div>
          <dt>Erneuert</dt>
          <dd>{source.updateCycle}</dd>
        </div>
        {source.lizenzen.map(({ url, bezeichnung, bereitsteller }) => (
          <div key={url}>
            <dt>Quelle</dt>
            <dd>
              {bereitsteller}, <a href={url}>{bezeichnung}</a>
            </dd>
          </div>
        ))}
      </dl>
      <p>
        Gezählt werden Einheiten, die Strom erzeugen oder speichern; ein Speicher zählt neben der Anlage, die ihn lädt.
        Leistung ist Bruttoleistung. Betreiber haben einen Monat Zeit, eine Anlage zu melden: die letzten Wochen sind
        immer zu niedrig. <a href={at('daten')}>Mehr über die Daten</a>
      </p>
    </section>
  );
}
