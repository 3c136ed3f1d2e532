import { useState } from 'preact/hooks';
import { say } from '../../format/language.ts';
import { readSheet } from '../../sheets/read-sheet.ts';
import { SheetRefused } from '../../sheets/refused.ts';
import { problemOf } from '../../v1/problem.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import type { OwnField, OwnFieldList } from '../../v1/unit-answers.ts';
import { useVisit } from '../../v1/use-answer.ts';
import { type Imported, readImported } from './imported.ts';

/** A file that was read: nothing of it has left the browser. */
export interface ImportedFile {
  /** null = it has no rows that mean anything here, and was refused. */
  readonly imported: Imported | null;
  /** Own fields that its columns may be. */
  readonly fields: readonly OwnField[];
}

/** While it is read. */
const READING: ImportedFile = { imported: null, fields: [] };

export function FileChoice({ onFile }: { onFile: (file: ImportedFile | null) => void }) {
  const { me, client } = useVisit();
  const [fault, setFault] = useState<string | null>(null);
  const may = (scope: string): boolean => me.key.scopes.includes(scope);
  const hasFields =
    may('custom_fields:read') && may('custom_fields:write') && me.organization.modules.includes('workspace');

  const take = async (chosen: File | undefined): Promise<void> => {
    setFault(null);
    if (chosen === undefined) return onFile(null);
    onFile(READING);
    try {
      const rows = await readSheet(chosen);
      const fields = hasFields ? (await client.ask<OwnFieldList>({ path: '/v1/custom-fields' })).data : [];
      const imported = readImported(rows, fields);
      if (imported === null) setFault(NO_NUMBERS);
      onFile({ imported, fields });
    } catch (error) {
      onFile(null);
      setFault(error instanceof SheetRefused ? error.message : sentenceOf(problemOf(error)));
    }
  };
  return (
    <>
      <label>
        {say('Oder eine Datei (.xlsx, .csv)', 'Or a file (.xlsx, .csv)')}
        <input
          type="file"
          accept=".xlsx,.csv,.txt,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
      </label>
      <details class="as-table">
        <summary>{say('Welche Spalten sie haben kann', 'The columns that it may have')}</summary>
        <ul>
          <li>
            {say('„MaStR-Nummer“: die Einheit; ohne sie geht es nicht', '“MaStR-Nummer”: the unit; it is needed')}
          </li>
          <li>{say('„Rolle“: eine der Rollen unten', '“Rolle”: one of the roles below')}</li>
          <li>
            {say(
              '„Kennung CRM“: die Kennung im System CRM; „Eigene Kennungen“: mehrere, als „crm: A-17; sap: 4711“',
              '“Kennung CRM”: the identifier in the system CRM; “Eigene Kennungen”: several, as “crm: A-17; sap: 4711”',
            )}
          </li>
          <li>
            {hasFields
              ? say(
                  'der Name eines eigenen Feldes: sein Wert; mehrere trennt ein Semikolon. Leere Zellen ändern nichts.',
                  'the name of an own field: its value; a semicolon stands between several. Empty cells change nothing.',
                )
              : say(
                  'Eigene Felder brauchen das Modul workspace und die Rechte custom_fields:read und custom_fields:write.',
                  'Own fields need the module workspace and the scopes custom_fields:read and custom_fields:write.',
                )}
          </li>
        </ul>
      </details>
      {fault !== null && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

const NO_NUMBERS = say(
  'Keine Spalte der Datei heißt „MaStR-Nummer“. Ihre erste Zeile muss die Spalten benennen.',
  'No column of the file is called “MaStR-Nummer”. Its first row has to name the columns.',
);
