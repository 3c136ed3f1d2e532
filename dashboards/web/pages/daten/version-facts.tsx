import { day, time } from '../../format/dates.ts';
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
    return <Failed problem={loaded.problem} retry={loaded.retry} shows="den Stand, der ausgeliefert wird" />;
  }
  if (version === null) return loaded.state === 'loading' ? <Waiting loaded={loaded} height={90} /> : null;
  const { exportTag, zeilen, historieSeit, veroeffentlichtAm, gebautAm, grund } = version;
  return (
    <Facts
      facts={[
        { name: 'Stand der Daten', value: day(exportTag), more: 'Tag des Exports der Bundesnetzagentur' },
        { name: 'Einheiten', value: count(zeilen) },
        {
          name: 'Verlauf bekannt seit',
          value: historieSeit === null ? NOTHING : day(historieSeit),
          more: 'Verschiebungen und Erstregistrierungen zwischen Exporten',
        },
        {
          name: 'Ausgeliefert seit',
          value: time(veroeffentlichtAm),
          more: grund === 'ruecknahme' ? 'Ein späterer Stand wurde zurückgenommen' : `gebaut ${time(gebautAm)}`,
        },
        { name: 'Version', value: version.version },
      ]}
    />
  );
}
