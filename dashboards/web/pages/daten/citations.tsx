import { say } from '../../format/language.ts';
import { German } from '../../frame/german.tsx';
import { CopyableCode } from '../../frame/request-code.tsx';
import { DATASETS } from '../../frame/source.ts';
import { BOUNDARIES_ATTRIBUTION } from '../../map/attribution.ts';
import type { DatasetList } from '../../v1/answers.ts';
import { shown } from '../../v1/loaded.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { labelOf } from './dataset-words.ts';

/** The sentence that the licence wants beside published figures, for each dataset. */
export function Citations() {
  const datasets = shown(useAnswer<DatasetList>(DATASETS))?.data ?? [];
  return (
    <section class="figure citations" aria-labelledby="citations">
      <h2 id="citations">{say('Lizenzen und Quellenvermerke', 'Licences and attributions')}</h2>
      <p class="unit">
        {say(
          'Zum Kopieren unter Tabellen und Abbildungen, auch gewerblich. Dateien und Bilder dieser Seiten tragen ihren Vermerk schon.',
          'To copy under tables and pictures, commercial ones too. Files and pictures of these pages carry their attribution already.',
        )}
      </p>
      {datasets.map(({ name, label, quellenvermerk, lizenzHinweis, lizenzen }) => (
        <article key={name}>
          <h3>{labelOf({ name, label })}</h3>
          {quellenvermerk !== null && (
            <CopyableCode
              text={quellenvermerk}
              label={say(`Quellenvermerk: ${label}`, `Attribution: ${labelOf({ name, label })}`)}
            />
          )}
          <p class="note">
            <German>{lizenzHinweis}</German>{' '}
            {lizenzen.map(({ url, bezeichnung }) => (
              <a key={url} href={url} target="_blank" rel="noopener" lang="de">
                {bezeichnung}
              </a>
            ))}
          </p>
        </article>
      ))}
      <article>
        <h3>{say('Grenzen auf Karten', 'Boundaries on maps')}</h3>
        <CopyableCode
          text={BOUNDARIES_ATTRIBUTION}
          label={say('Quellenvermerk: Grenzen auf Karten', 'Attribution: boundaries on maps')}
        />
        <p class="note">
          {say(
            'Verwaltungsgebiete des Bundesamts für Kartographie und Geodäsie, für den Bildschirm vereinfacht: nicht zum Messen geeignet.',
            'Administrative areas of the Bundesamt für Kartographie und Geodäsie, simplified for screens: not fit for measuring.',
          )}{' '}
          <a href="https://www.govdata.de/dl-de/by-2-0" target="_blank" rel="noopener" lang="de">
            Datenlizenz Deutschland – Namensnennung – Version 2.0
          </a>
        </p>
      </article>
    </section>
  );
}
