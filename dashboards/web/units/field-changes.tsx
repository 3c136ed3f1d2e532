import { useNavigation } from '../address/address.ts';
import { say } from '../format/language.ts';
import type { FieldChange } from '../v1/history-answers.ts';
import type { CatalogField, FieldValue } from '../v1/unit-answers.ts';
import type { Catalogue } from './catalogue.ts';
import type { SignalTexts } from './signals.ts';
import { textOf, Value } from './values.tsx';

/** What happened to a unit from one state of the register to the next, in words. */

const KINDS: Readonly<Record<string, string>> = {
  bestand: say('So stand sie im ersten bekannten Stand', 'So it stood in the first state that is known'),
  neu: say('Neu im Register', 'New in the register'),
  geaendert: say('Geändert', 'Changed'),
  entfallen: say('Aus dem Register entfallen', 'Left the register'),
};

const REASONS: Readonly<Record<string, string>> = {
  geloescht: say('im Register gelöscht', 'deleted in the register'),
  verschwunden: say('fehlt im Export, ohne Angabe von Gründen', 'missing in the export, without a reason given'),
  zurueckgenommen: say('der Stand, der sie hatte, wurde zurückgenommen', 'the state that had it was withdrawn'),
};

/** „Aus dem Register entfallen (im Register gelöscht)“ */
export const kindOfChange = (kind: string, reason: string | null): string => {
  const name = KINDS[kind] ?? kind;
  return reason === null ? name : `${name} (${REASONS[reason] ?? reason})`;
};

/** Each change of a field as „Bruttoleistung: 3.000 kW → 3.200 kW“, for files. */
export const changesText = (changes: readonly FieldChange[], catalogue: Catalogue, signals: SignalTexts): string =>
  changes
    .map(({ feld, vorher, nachher }) => {
      const field = catalogue.byName.get(feld);
      const written = (value: FieldValue): string =>
        field === undefined ? JSON.stringify(value) : `${textOf(field, value, signals)}${unitOf(field, value)}`;
      return `${titleOf(field, feld, catalogue)}: ${written(vorher)} → ${written(nachher)}`;
    })
    .join('; ');

/** Lists what changed: the field in words, its value before and after. */
export function FieldChanges({
  changes,
  catalogue,
  signals,
}: {
  changes: readonly FieldChange[];
  catalogue: Catalogue;
  signals: SignalTexts;
}) {
  const { at } = useNavigation();
  const linkTo = (mastrNumber: string): string => at(`einheiten/${mastrNumber}`);
  return (
    <dl class="field-changes">
      {changes.map(({ feld, vorher, nachher }) => {
        const field = catalogue.byName.get(feld);
        const written = (value: FieldValue) =>
          field === undefined ? (
            <bdi>{JSON.stringify(value)}</bdi>
          ) : (
            <>
              <Value {...{ field, value, signals, linkTo }} />
              {unitOf(field, value)}
            </>
          );
        return (
          <div key={feld}>
            <dt>{titleOf(field, feld, catalogue)}</dt>
            <dd>
              {written(vorher)}{' '}
              <span role="img" aria-label={say('danach', 'then')}>
                {'→'}
              </span>{' '}
              {written(nachher)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const titleOf = (field: CatalogField | undefined, name: string, { titleOf: titled }: Catalogue): string =>
  field === undefined ? name : titled(field);

const unitOf = ({ einheit }: CatalogField, value: FieldValue): string =>
  einheit === null || value === null ? '' : `\u202f${einheit}`;
