import { say } from '../../format/language.ts';
import { count, power, share, unitCount } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import type { Grid } from '../../v1/grid-answers.ts';
import { type Loaded, shown } from '../../v1/loaded.ts';

/** The sums of a grid, as cards. */
export function GridFacts({ loaded }: { loaded: Loaded<Grid> }) {
  const answer = shown(loaded);
  if (answer === null || loaded.state === 'failed') return null;
  const { bestand, pipeline, fernsteuerbar } = answer.data.totals;
  const nearby = answer.data.geplantOhneNetz;
  const units = nearby.reduce((sum, { anzahl }) => sum + anzahl, 0);
  const kw = nearby.reduce((sum, { bruttoleistungKw }) => sum + bruttoleistungKw, 0);
  const conspicuous = answer.meta.auffaellig;
  return (
    <Facts
      facts={[
        {
          name: say('In Betrieb, brutto', 'In operation, gross'),
          value: power(bestand.bruttoleistungKw),
          more: say(
            `${unitCount(bestand.anzahl)}, netto ${power(bestand.nettonennleistungKw)}`,
            `${unitCount(bestand.anzahl)}, net ${power(bestand.nettonennleistungKw)}`,
          ),
        },
        {
          name: say('In Planung oder im Bau', 'Planned or being built'),
          value: power(pipeline.bruttoleistungKw),
          more: say(
            `${unitCount(pipeline.anzahl)}, davon ${count(pipeline.genehmigtAnzahl)} genehmigt`,
            `${unitCount(pipeline.anzahl)}, of which ${count(pipeline.genehmigtAnzahl)} have a permit`,
          ),
        },
        {
          name: say('Geplant, Netz noch unbekannt', 'Planned, grid not known yet'),
          value: power(kw),
          more: say(
            `${unitCount(units)} in Gemeinden mit Anlagen dieses Netzes`,
            `${unitCount(units)} in municipalities with units of this grid`,
          ),
        },
        {
          name: say('Fernsteuerbar', 'Remotely controlled'),
          value: share(fernsteuerbar.anteilLeistung),
          more: say(
            `der Leistung in Betrieb; durch Netzbetreiber ${power(fernsteuerbar.netzbetreiber.bruttoleistungKw)}, ohne Angabe ${power(fernsteuerbar.ohneAngabe.bruttoleistungKw)}`,
            `of the power in operation; by grid operators ${power(fernsteuerbar.netzbetreiber.bruttoleistungKw)}, not stated ${power(fernsteuerbar.ohneAngabe.bruttoleistungKw)}`,
          ),
        },
        ...(conspicuous === null
          ? []
          : [
              {
                name: say('Auffällige Einheiten', 'Units with anomalies'),
                value: count(conspicuous.count),
                more: say(`von ${unitCount(answer.meta.einheiten)}`, `of ${unitCount(answer.meta.einheiten)}`),
              },
            ]),
      ]}
    />
  );
}
