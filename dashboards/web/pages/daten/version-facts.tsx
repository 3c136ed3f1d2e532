import { day, time } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count, NOTHING } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import { Failed, Waiting } from '../../frame/state.tsx';
import type { DatasetVersion } from '../../v1/answers.ts';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';

export const VERSION: ApiRequest = { path: '/v1/datasets/version' };

/** Says which version is served, and since when. */
export function VersionFacts({ loaded }: { loaded: Loaded<DatasetVersion> }) {
  const version = shown(loaded);
  if (loaded.state === 'failed') {
    return (
      <Failed
        problem={loaded.problem}
        retry={loaded.retry}
        shows={say('den Stand, der ausgeliefert wird', 'the state that is served')}
      />
    );
  }
  if (version === null) return loaded.state === 'loading' ? <Waiting loaded={loaded} height={90} /> : null;
  const { exportTag, zeilen, historieSeit, veroeffentlichtAm, gebautAm, grund } = version;
  return (
    <Facts
      facts={[
        {
          name: say('Stand der Daten', 'Data as of'),
          value: day(exportTag),
          more: say('Tag des Exports der Bundesnetzagentur', 'day of the export of the Bundesnetzagentur'),
        },
        { name: say('Einheiten', 'Units'), value: count(zeilen) },
        {
          name: say('Verlauf bekannt seit', 'History known since'),
          value: historieSeit === null ? NOTHING : day(historieSeit),
          more: say(
            'Verschiebungen und Erstregistrierungen zwischen Exporten',
            'delays and first registrations between exports',
          ),
        },
        {
          name: say('Ausgeliefert seit', 'Served since'),
          value: time(veroeffentlichtAm),
          more:
            grund === 'ruecknahme'
              ? say('Ein späterer Stand wurde zurückgenommen', 'a later state was taken back')
              : say(`gebaut ${time(gebautAm)}`, `built ${time(gebautAm)}`),
        },
        { name: 'Version', value: version.version },
      ]}
    />
  );
}
