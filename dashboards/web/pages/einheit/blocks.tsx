import { flag, useChoices, useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { moduleName } from '../../frame/state.tsx';
import type { Table } from '../../frame/table.ts';
import { blockTitle, byBlock, type Catalogue } from '../../units/catalogue.ts';
import type { SignalTexts } from '../../units/signals.ts';
import { textOf, Value } from '../../units/values.tsx';
import { listText } from '../../v1/request.ts';
import type { CatalogField, FieldValue, UnitFields } from '../../v1/unit-answers.ts';
import type { UnitProps } from './unit-props.ts';

export const CHOICES = { leer: flag, hinweise: flag };

/** Fields that have a part of the page to themselves. */
const ELSEWHERE = ['signals', 'ausschreibungen', 'links'];

/** Every field that the organisation gets, block by block, in the words of the catalogue. */
export function Blocks({ unit, catalogue, request, name, signals }: UnitProps & { signals: SignalTexts }) {
  const [{ leer: showsEmpty, hinweise: showsHints }, change] = useChoices(CHOICES);
  const readable = catalogue.fields.filter((field) => field.lesbar && !ELSEWHERE.includes(field.name));
  const isEmpty = ({ name: member }: CatalogField): boolean => isNothing(unit[member]);
  const visible = readable.filter((field) => field.verfuegbar && (showsEmpty || !isEmpty(field)));
  const empty = readable.filter((field) => field.verfuegbar && isEmpty(field)).length;
  const locked = readable.filter(({ verfuegbar }) => !verfuegbar);
  const tableOf = (): Table => ({
    columns: [
      { name: 'Block' },
      { name: say('Feld', 'Field') },
      { name: say('Angabe', 'Meaning') },
      { name: say('Wert', 'Value') },
      { name: say('Einheit', 'Unit') },
    ],
    rows: visible.map((field) => [
      blockTitle(field.block),
      field.name,
      field.beschreibung,
      isEmpty(field) ? null : textOf(field, unit[field.name], signals),
      field.einheit,
    ]),
  });
  return (
    <Figure
      title={say('Angaben des Registers', 'What the register says')}
      unit={say(`${visible.length} Felder, ${empty} ohne Angabe`, `${visible.length} fields, ${empty} not stated`)}
      loaded={{ state: 'ready', value: unit }}
      requests={[request]}
      shows={say(`die Angaben zu ${name}`, `what the register says of ${name}`)}
      table={tableOf}
      empty={() => null}
      plain
    >
      {() => (
        <>
          <p class="switches">
            <label class="switch">
              <input type="checkbox" checked={showsEmpty} onChange={() => change({ leer: !showsEmpty }, true)} />
              {say('Leere Felder zeigen', 'Show empty fields')}
            </label>
            <label class="switch">
              <input type="checkbox" checked={showsHints} onChange={() => change({ hinweise: !showsHints }, true)} />
              {say('Hinweise zeigen', 'Show notes')}
            </label>
          </p>
          <div class="blocks">
            {[...byBlock(visible, (field) => field)].map(([block, fields]) => (
              <section key={block}>
                <h3>{blockTitle(block)}</h3>
                <dl class="fields">
                  {fields.map((field) => (
                    <Entry key={field.name} {...{ field, unit, catalogue, signals, showsHints }} />
                  ))}
                </dl>
              </section>
            ))}
            {[...byBlock(locked, (field) => field)].map(([block, fields]) => (
              <Locked key={block} block={block} fields={fields} />
            ))}
          </div>
        </>
      )}
    </Figure>
  );
}

function Entry({
  field,
  unit,
  catalogue,
  signals,
  showsHints,
}: {
  field: CatalogField;
  unit: UnitFields;
  catalogue: Catalogue;
  signals: SignalTexts;
  showsHints: boolean;
}) {
  const { at } = useNavigation();
  const value = unit[field.name];
  const alike = isNothing(value) ? null : filterFor(field, unit);
  const linkTo = (mastrNumber: string): string => at(`einheiten/${mastrNumber}`);
  const written = <Value field={field} value={value} signals={signals} linkTo={linkTo} />;
  return (
    <div>
      <dt title={field.beschreibung}>{catalogue.titleOf(field)}</dt>
      <dd>
        {alike === null ? (
          written
        ) : (
          <a href={at('einheiten', alike)} title={say('Alle Einheiten mit dieser Angabe', 'All units with this value')}>
            {written}
          </a>
        )}
        {field.einheit !== null && !isNothing(value) && `\u202f${field.einheit}`}
        {showsHints && field.hinweis !== null && <small>{field.hinweis}</small>}
      </dd>
    </div>
  );
}

/** Several places may have one name: where the unit has the key of its own, that is what finds the others. */
const KEY_OF: Readonly<Record<string, string>> = { landkreis: 'kreisschluessel', gemeinde: 'gemeindeschluessel' };

/** The filter that finds all units with the same text, where there is one: a field that takes a single parameter. */
function filterFor({ filter, typ, name }: CatalogField, unit: UnitFields): Record<string, string> | null {
  const [parameter, another] = filter;
  const value = unit[KEY_OF[name] ?? name] ?? unit[name];
  const isText = typ === 'string' && typeof value === 'string' && !/^hat[A-Z]/.test(parameter ?? '');
  if (!isText || parameter === undefined || another !== undefined) return null;
  return { [parameter]: name === 'plz' ? value : listText([value]) };
}

/** A block that is not booked says what it would have. */
function Locked({ block, fields }: { block: string | null; fields: readonly CatalogField[] }) {
  return (
    <section class="state barred locked-block" role="note">
      <h3>{blockTitle(block)}</h3>
      <p>
        {say('Das Modul ', 'The module ')}
        {moduleName(fields[0]?.modul ?? '')}
        {say(' ist nicht gebucht. Hier stünde:', ' is not booked. Here would be:')}{' '}
        {fields.map(({ beschreibung }) => beschreibung).join('; ')}.
      </p>
    </section>
  );
}

const isNothing = (value: FieldValue | undefined): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
