import { useState } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Figure } from '../../frame/figure.tsx';
import { FormDialog } from '../../frame/form-dialog.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { useChanges } from '../../frame/use-changes.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { SavedFilter, SavedFilterList } from '../../v1/unit-answers.ts';
import { useLoad, useVisit } from '../../v1/use-answer.ts';

const SAVED_FILTERS: ApiRequest = { path: '/v1/saved-filters' };

/** Lists the filters that the organisation keeps: each opens as a list. */
export function SavedFiltersFigure() {
  const { me } = useVisit();
  const { at } = useNavigation();
  const { revision, problem, change, send } = useChanges();
  const loaded = useLoad(
    `saved filters ${revision}`,
    async ({ ask }) => (await ask<SavedFilterList>(SAVED_FILTERS)).data,
  );
  const columns: readonly RowColumn<SavedFilter>[] = [
    {
      name: 'Filter',
      value: ({ name }) => name,
      show: ({ id, name }) => (
        <a href={at('einheiten', { savedFilterId: id })}>
          <bdi>{name}</bdi>
        </a>
      ),
    },
    { name: 'Geändert', value: ({ geaendertAm }) => day(geaendertAm) },
  ];
  const managed: RowColumn<SavedFilter> = {
    name: 'Verwalten',
    value: () => null,
    show: ({ id, name }) => (
      <div class="actions">
        <RenameButton
          name={name}
          onRename={(wanted) => send({ path: `/v1/saved-filters/${id}`, method: 'PATCH', body: { name: wanted } })}
        />
        <ConfirmButton
          label="Löschen"
          question="Filter löschen?"
          confirm="Löschen"
          disabled={false}
          onConfirm={() => change({ path: `/v1/saved-filters/${id}`, method: 'DELETE' })}
        >
          <p>
            „<bdi>{name}</bdi>“ gibt es dann für die ganze Organisation nicht mehr.
          </p>
        </ConfirmButton>
      </div>
    ),
  };
  const title = 'Gespeicherte Filter';
  return (
    <>
      {problem !== null && (
        <p class="fault" role="alert">
          {problem.code === 'CONFLICT'
            ? 'Nicht gelöscht: Ein Alarm fragt nach diesem Filter. Zuerst ist der Alarm zu löschen.'
            : `Nicht geändert: ${sentenceOf(problem)}`}
        </p>
      )}
      <Figure
        title={title}
        unit="„Ansicht speichern“ auf der Seite Einheiten legt einen an"
        loaded={loaded}
        requests={[SAVED_FILTERS]}
        shows="die gespeicherten Filter der Organisation"
        origin="Eigene Filter der Organisation"
        table={(filters) => tableOf(columns, filters)}
        empty={(filters) => (filters.length === 0 ? 'Es ist kein Filter gespeichert.' : null)}
        height={110}
        plain
      >
        {(filters) => (
          <RowTable
            columns={me.key.scopes.includes('saved_filters:write') ? [...columns, managed] : columns}
            rows={filters}
            caption={title}
            idOf={({ id }) => id}
          />
        )}
      </Figure>
    </>
  );
}

function RenameButton({ name, onRename }: { name: string; onRename: (name: string) => Promise<void> }) {
  const [typed, type] = useState(name);
  return (
    <FormDialog
      label="Umbenennen"
      of={name}
      title="Filter umbenennen"
      submit="Umbenennen"
      send={async () => {
        await onRename(typed.trim());
        return null;
      }}
      whyNot={(problem) =>
        problem.code === 'CONFLICT' ? 'Diesen Namen gibt es schon. Mit einem anderen geht es.' : sentenceOf(problem)
      }
      onOpen={() => type(name)}
    >
      <label>
        Name
        <input required maxLength={200} value={typed} onInput={(event) => type(event.currentTarget.value)} />
      </label>
    </FormDialog>
  );
}
