import { time } from '../../format/dates.ts';
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
      title="Eigene Felder"
      unit="Was die Organisation und ihre Partner zu dieser Einheit geschrieben haben"
      loaded={loaded}
      requests={[FIELDS, values]}
      shows="die eigenen Felder"
      height={60}
      origin="Quelle: eigene Angaben der Organisation und ihrer Partner"
      table={(own) => ({
        columns: [{ name: 'Feld' }, { name: 'Wert' }, { name: 'Von' }, { name: 'Geändert' }],
        rows: rowsOf(own).map(({ field, value }) => [
          field?.name ?? value.defId,
          writtenValue(value),
          writerOf(value),
          time(value.geaendertAm),
        ]),
      })}
      empty={(own) => (own.values.length === 0 ? 'Zu dieser Einheit ist nichts geschrieben.' : null)}
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
          {!own.isComplete && <p class="note">Es gibt mehr Werte, als eine Antwort fasst.</p>}
        </>
      )}
    </Figure>
  );
}

const writerOf = ({ schreiber }: OwnValue): string => (schreiber === 'gegenseite' ? 'vom Partner' : 'eigener Wert');
