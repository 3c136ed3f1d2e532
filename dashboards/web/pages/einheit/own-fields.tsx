import { time } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { writtenValue } from '../../units/own-values.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { OwnField, OwnFieldList, OwnValue, OwnValueList } from '../../v1/unit-answers.ts';
import { useLoad } from '../../v1/use-answer.ts';
import type { UnitProps } from './unit-props.ts';

const FIELDS: ApiRequest = { path: '/v1/custom-fields' };

interface Own {
  readonly fields: readonly OwnField[];
  readonly values: readonly OwnValue[];
  readonly isComplete: boolean;
}

/** Shows what the organisation and its partners have written about the unit. */
export function OwnFields({ unit: { mastrNummer } }: UnitProps) {
  const values: ApiRequest = { path: `/v1/units/${mastrNummer}/custom-fields` };
  const loaded: Loaded<Own> = useLoad(mastrNummer, async ({ ask }) => {
    const [known, written] = await Promise.all([ask<OwnFieldList>(FIELDS), ask<OwnValueList>(values)]);
    return { fields: known.data, values: written.data, isComplete: written.meta.complete };
  });
  const rowsOf = ({ fields, values: all }: Own) =>
    all.map((value) => ({ value, field: fields.find(({ id }) => id === value.defId) }));
  return (
    <Figure
      title={say('Eigene Felder', 'Own fields')}
      unit={say(
        'Was die Organisation und ihre Partner zu dieser Einheit geschrieben haben',
        'What the organisation and its partners have written about this unit',
      )}
      loaded={loaded}
      requests={[FIELDS, values]}
      shows={say('die eigenen Felder', 'the own fields')}
      height={60}
      origin={say(
        'Quelle: eigene Angaben der Organisation und ihrer Partner',
        'Source: the organisation itself and its partners',
      )}
      table={(own) => ({
        columns: [
          { name: say('Feld', 'Field') },
          { name: say('Wert', 'Value') },
          { name: say('Von', 'From') },
          { name: say('Geändert', 'Changed') },
        ],
        rows: rowsOf(own).map(({ field, value }) => [
          field?.name ?? value.defId,
          writtenValue(value),
          writerOf(value),
          time(value.geaendertAm),
        ]),
      })}
      empty={(own) =>
        own.values.length === 0
          ? say('Zu dieser Einheit ist nichts geschrieben.', 'Nothing is written about this unit.')
          : null
      }
      plain
    >
      {(own) => (
        <>
          <dl class="fields">
            {rowsOf(own).map(({ field, value }) => (
              <div key={`${value.defId} ${value.schreiber} ${value.reihenfolge}`}>
                <dt>
                  <bdi>{field?.name ?? value.defId}</bdi>
                </dt>
                <dd>
                  <bdi>{writtenValue(value)}</bdi>
                  <small>
                    {writerOf(value)}, {time(value.geaendertAm)}
                  </small>
                </dd>
              </div>
            ))}
          </dl>
          {!own.isComplete && (
            <p class="note">
              {say('Es gibt mehr Werte, als eine Antwort fasst.', 'There are more values than one answer holds.')}
            </p>
          )}
        </>
      )}
    </Figure>
  );
}

const writerOf = ({ schreiber }: OwnValue): string =>
  schreiber === 'gegenseite' ? say('vom Partner', 'of the partner') : say('eigener Wert', 'own value');
