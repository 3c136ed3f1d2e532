/** Names what visitors look for in vain, and why. */
export function NotServed() {
  return (
    <section class="figure prose" aria-labelledby="not-served">
      <h2 id="not-served">Was ausgeliefert wird und was nicht</h2>
      <ul>
        <li>
          <b>Strom</b>: Erzeugungs- und Speichereinheiten aller Energieträger, von der Balkonanlage bis zum Kraftwerk.
          Verbrauchs- und Gaseinheiten nicht.
        </li>
        <li>
          <b>Personen</b>: Namen und Anschriften natürlicher Personen werden weder gespeichert noch ausgeliefert.
          Betreiber, die Organisationen sind, stehen mit Namen da.
        </li>
        <li>
          <b>Koordinaten</b>: erst ab 30&nbsp;kW. Kleinere Anlagen haben Ort und Postleitzahl, aber keinen Punkt auf der
          Karte.
        </li>
        <li>
          <b>Gelöschte Einheiten</b>: Was das Register als gelöscht oder deaktiviert führt, fehlt. Stillgelegte Anlagen
          sind enthalten, mit ihrem Datum.
        </li>
        <li>
          <b>Ausschreibungen</b>: Bieter werden nicht gespeichert. Der Wert eines einzelnen Zuschlags wird nie
          veröffentlicht, nur das Mittel des Termins und seine Grenzen.
        </li>
        <li>
          <b>Verlauf</b>: Inbetriebnahmen und Stilllegungen reichen so weit zurück wie das Register. Was sich zwischen
          zwei Exporten geändert hat, ist erst bekannt, seit der Dienst sie liest.
        </li>
      </ul>
    </section>
  );
}
