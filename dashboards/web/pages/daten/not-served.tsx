import { say } from '../../format/language.ts';

/** Names what visitors look for in vain, and why. */
export function NotServed() {
  return (
    <section class="figure prose" aria-labelledby="not-served">
      <h2 id="not-served">{say('Was ausgeliefert wird und was nicht', 'What is served and what is not')}</h2>
      <ul>
        <li>
          <b>{say('Strom', 'Electricity')}</b>
          {say(
            ': Erzeugungs- und Speichereinheiten aller Energieträger, von der Balkonanlage bis zum Kraftwerk. Verbrauchs- und Gaseinheiten nicht.',
            ': units of all carriers that generate or store it, from the balcony to the power station. No units of consumption or gas.',
          )}
        </li>
        <li>
          <b>{say('Personen', 'Persons')}</b>
          {say(
            ': Namen und Anschriften natürlicher Personen werden weder gespeichert noch ausgeliefert. Betreiber, die Organisationen sind, stehen mit Namen da.',
            ': names and addresses of natural persons are neither stored nor served. Operators that are organisations are named.',
          )}
        </li>
        <li>
          <b>{say('Koordinaten', 'Coordinates')}</b>
          {say(
            ': erst ab 30\u00a0kW. Kleinere Anlagen haben Ort und Postleitzahl, aber keinen Punkt auf der Karte.',
            ': from 30\u00a0kW on. Smaller units have a town and a postal code, but no point on the map.',
          )}
        </li>
        <li>
          <b>{say('Gelöschte Einheiten', 'Deleted units')}</b>
          {say(
            ': Was das Register als gelöscht oder deaktiviert führt, fehlt. Stillgelegte Anlagen sind enthalten, mit ihrem Datum.',
            ': what the register has as deleted or deactivated is missing. Units that were shut down are there, with their day.',
          )}
        </li>
        <li>
          <b>{say('Ausschreibungen', 'Tenders')}</b>
          {say(
            ': Bieter werden nicht gespeichert. Der Wert eines einzelnen Zuschlags wird nie veröffentlicht, nur das Mittel des Termins und seine Grenzen.',
            ': bidders are not stored. The value of a single award is never published, only the mean of the date and its limits.',
          )}
        </li>
        <li>
          <b>{say('Verlauf', 'History')}</b>
          {say(
            ': Inbetriebnahmen und Stilllegungen reichen so weit zurück wie das Register. Was sich zwischen zwei Exporten geändert hat, ist erst bekannt, seit der Dienst sie liest.',
            ': commissioning and shutting down reach back as far as the register. What changed between two exports is known only since the service has read them.',
          )}
        </li>
      </ul>
    </section>
  );
}
