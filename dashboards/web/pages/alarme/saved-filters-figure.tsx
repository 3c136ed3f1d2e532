import { useState } from 'preact/hooks';
import { type Navigation, useNavigation } from '../../address/address.ts';
import { PAGE_NAMES } from '../../address/page-names.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Figure } from '../../frame/figure.tsx';
import { FormDialog } from '../../frame/form-dialog.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { useChanges } from '../../frame/use-changes.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { SavedFilter, SavedFilterList } from '../../v1/unit-answers.ts';
import { useLoad, useVisit } from '../../v1/use-answer.ts';

/** The interface may know more pages than this one. */
const pageName = (page: string): string =>
  Object.hasOwn(PAGE_NAMES, page) ? PAGE_NAMES[page as keyof typeof PAGE_NAMES] : page;

const viewAddress = ({ page, query }: NonNullable<SavedFilter['ansicht']>, at: Navigation['at']): string =>
  at(page === 'ueberblick' ? '' : page, Object.fromEntries(new URLSearchParams(query)));

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
      show: ({ id, name, ansicht }) => (
        <a href={ansicht === undefined ? at('einheiten', { savedFilterId: id }) : viewAddress(ansicht, at)}>
          <bdi>{name}</bdi>
        </a>
      ),
    },
    {
      name: say('Öffnet', 'Opens'),
      value: ({ ansicht }) => (ansicht === undefined ? PAGE_NAMES.einheiten : pageName(ansicht.page)),
    },
    { name: say('Geändert', 'Changed'), value: ({ geaendertAm }) => day(geaendertAm) },
  ];
  const managed: RowColumn<SavedFilter> = {
    name: say('Verwalten', 'Manage'),
    value: () => null,
    show: ({ id, name }) => (
      <div class="actions">
        <RenameButton
          name={name}
          onRename={(wanted) => send({ path: `/v1/saved-filters/${id}`, method: 'PATCH', body: { name: wanted } })}
        />
        <ConfirmButton
          label={say('Löschen', 'Delete')}
          question={say('Filter löschen?', 'Delete the filter?')}
          confirm={say('Löschen', 'Delete')}
          disabled={false}
          onConfirm={() => change({ path: `/v1/saved-filters/${id}`, method: 'DELETE' })}
        >
          <p>
            {say('„', '“')}
            <bdi>{name}</bdi>
            {say(
              '“ gibt es dann für die ganze Organisation nicht mehr.',
              '” will be gone for the whole organisation then.',
            )}
          </p>
        </ConfirmButton>
      </div>
    ),
  };
  const title = say('Gespeicherte Filter', 'Saved filters');
  return (
    <>
      {problem !== null && (
        <p class="fault" role="alert">
          {problem.code === 'CONFLICT'
            ? say(
                'Nicht gelöscht: Ein Alarm fragt nach diesem Filter. Zuerst ist der Alarm zu löschen.',
                'Not deleted: an alert asks for this filter. The alert has to be deleted first.',
              )
            : say(`Nicht geändert: ${sentenceOf(problem)}`, `Not changed: ${sentenceOf(problem)}`)}
        </p>
      )}
      <Figure
        title={title}
        unit={say(
          '„Ansicht speichern“ neben dem Titel einer Seite legt einen an',
          '“Save the view” beside the title of a page makes one',
        )}
        loaded={loaded}
        requests={[SAVED_FILTERS]}
        shows={say('die gespeicherten Filter der Organisation', 'the saved filters of the organisation')}
        origin={say('Eigene Filter der Organisation', 'Own filters of the organisation')}
        table={(filters) => tableOf(columns, filters)}
        empty={(filters) =>
          filters.length === 0 ? say('Es ist kein Filter gespeichert.', 'No filter is saved.') : null
        }
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
      label={say('Umbenennen', 'Rename')}
      of={name}
      title={say('Filter umbenennen', 'Rename the filter')}
      submit={say('Umbenennen', 'Rename')}
      send={async () => {
        await onRename(typed.trim());
        return null;
      }}
      whyNot={(problem) =>
        problem.code === 'CONFLICT'
          ? say(
              'Diesen Namen gibt es schon. Mit einem anderen geht es.',
              'This name exists already. With another one it works.',
            )
          : sentenceOf(problem)
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
