import { CopyableCode } from '../../frame/request-code.tsx';
import { DATASETS } from '../../frame/source.ts';
import { BOUNDARIES_ATTRIBUTION } from '../../map/attribution.ts';
import type { DatasetList } from '../../v1/answers.ts';
import { shown } from '../../v1/loaded.ts';
import { useAnswer } from '../../v1/use-answer.ts';

/** The sentence that the licence wants beside published figures, for each dataset. */
export function Citations() {
  const datasets = shown(useAnswer<DatasetList>(DATASETS))?.data ?? [];
  return (
    <section class="figure citations" aria-labelledby="citations">
      <h2 id="citations">Lizenzen und Quellenvermerke</h2>
      <p class="unit">
        Zum Kopieren unter Tabellen und Abbildungen, auch gewerblich. Dateien und Bilder dieser Seiten tragen ihren
        Vermerk schon.
      </p>
      {datasets.map(({ name, label, quellenvermerk, lizenzHinweis, lizenzen }) => (
        <article key={name}>
          <h3>{label}</h3>
          {quellenvermerk !== null && <CopyableCode text={quellenvermerk} label={`Quellenvermerk: ${label}`} />}
          <p class="note">
            {lizenzHinweis}{' '}
            {lizenzen.map(({ url, bezeichnung }) => (
              <a key={url} href={url} target="_blank" rel="noopener">
                {bezeichnung}
              </a>
            ))}
          </p>
        </article>
      ))}
      <article>
        <h3>Grenzen auf Karten</h3>
        <CopyableCode text={BOUNDARIES_ATTRIBUTION} label="Quellenvermerk: Grenzen auf Karten" />
        <p class="note">
          Verwaltungsgebiete des Bundesamts für Kartographie und Geodäsie, für den Bildschirm vereinfacht: nicht zum
          Messen geeignet.{' '}
          <a href="https://www.govdata.de/dl-de/by-2-0" target="_blank" rel="noopener">
            Datenlizenz Deutschland – Namensnennung – Version 2.0
          </a>
        </p>
      </article>
    </section>
  );
}
