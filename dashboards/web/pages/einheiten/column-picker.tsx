import { useState } from 'preact/hooks';
import { say } from '../../format/language.ts';
import { moduleName } from '../../frame/state.tsx';
import { blockTitle, byBlock, type Catalogue } from '../../units/catalogue.ts';
import { listText } from '../../v1/request.ts';
import type { CatalogField } from '../../v1/unit-answers.ts';
import { keepColumns } from './kept-columns.ts';
import type { ListAddress } from './list-address.ts';

/** Chooses the fields that the table shows; only these are asked for. */
export function ColumnPicker({ list, catalogue }: { list: ListAddress; catalogue: Catalogue }) {
  const { columns, change } = list;
  const [isOpen, open] = useState(false);
  const [typed, type] = useState('');
  const put = (names: readonly string[] | null): void => {
    keepColumns(names);
    change({ include: null, fields: names === null ? null : listText(names) || 'mastrNummer' });
  };
  const wanted = typed.trim().toLowerCase();
  const offered = catalogue.fields.filter(
    ({ lesbar, typ, name, beschreibung }) =>
      lesbar && typ !== 'object' && name !== 'mastrNummer' && `${name} ${beschreibung}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <button type="button" class="columns-switch" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {say('Spalten (', 'Columns (')}
        {columns.length + 1})
      </button>
      {isOpen && (
        <section class="columns" aria-label={say('Spalten der Tabelle', 'Columns of the table')}>
          <div class="choices">
            <label>
              {say('Spalte finden', 'Find a column')}
              <input type="search" value={typed} onInput={(event) => type(event.currentTarget.value)} />
            </label>
            <button type="button" onClick={() => put(null)}>
              {say('Wie am Anfang', 'As at first')}
            </button>
          </div>
          {[...byBlock(offered, (field) => field)].map(([block, fields]) => (
            <fieldset key={block}>
              <legend>{blockTitle(block)}</legend>
              {fields.map((field) => (
                <ColumnChoice
                  key={field.name}
                  field={field}
                  title={catalogue.titleOf(field)}
                  isOn={columns.includes(field.name)}
                  onFlip={(isOn) =>
                    put(isOn ? [...columns, field.name] : columns.filter((name) => name !== field.name))
                  }
                />
              ))}
            </fieldset>
          ))}
        </section>
      )}
    </>
  );
}

function ColumnChoice({
  field,
  title,
  isOn,
  onFlip,
}: {
  field: CatalogField;
  title: string;
  isOn: boolean;
  onFlip: (isOn: boolean) => void;
}) {
  return (
    <label title={field.beschreibung}>
      <input
        type="checkbox"
        checked={isOn}
        disabled={!field.verfuegbar}
        onChange={(event) => onFlip(event.currentTarget.checked)}
      />
      <span>
        {title}
        {!field.verfuegbar && (
          <small>
            {say(' gesperrt: Modul ', ' locked: module ')}
            {moduleName(field.modul ?? '')}
          </small>
        )}
      </span>
    </label>
  );
}
