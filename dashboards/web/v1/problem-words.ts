import { day } from '../format/dates.ts';
import { say } from '../format/language.ts';
import type { Problem } from './problem.ts';

/** Problems of the interface in words of the pages, by their codes: its own are for those who program with it. */

export interface ProblemWords {
  readonly title: string;
  readonly text: string;
}

/** Every code that the interface has under /v1. */
const WORDS: Readonly<Record<string, ProblemWords>> = {
  INVALID_PARAMETER: {
    title: say('Eine Angabe passt nicht', 'A value does not fit'),
    text: say(
      'Ein Wert hat nicht die Form oder liegt nicht in dem Bereich, den die Schnittstelle verlangt. Geändert oder ohne sie geht es.',
      'A value does not have the form, or is not in the range, that the interface takes. Changed, or without it, it works.',
    ),
  },
  UNKNOWN_PARAMETER: {
    title: say('Eine Angabe ist nicht bekannt', 'A parameter is not known'),
    text: say(
      'Die Schnittstelle hat keinen Filter und keine Angabe dieses Namens. Ohne sie geht es.',
      'The interface has no filter and no parameter of this name. Without it, it works.',
    ),
  },
  UNKNOWN_FIELD: {
    title: say('Ein Feld gibt es nicht', 'There is no such field'),
    text: say(
      'Ein Feld, das gezeigt werden soll, gibt es nicht, oder es lässt sich nur filtern. „Spalten“ zeigt, welche es gibt.',
      'A field that is to be shown does not exist, or can only be filtered by. “Columns” shows which there are.',
    ),
  },
  NOT_SORTABLE: {
    title: say('So lässt sich die Liste nicht ordnen', 'The list cannot be sorted so'),
    text: say(
      'Nach diesem Feld wird nicht geordnet; die Köpfe der Tabelle zeigen, wonach.',
      'This field is none to sort by; the heads of the table show which are.',
    ),
  },
  UNKNOWN_SIGNAL: {
    title: say('Ein Signal gibt es nicht', 'There is no such signal'),
    text: say(
      'Kein Signal hat diesen Namen. Die Auswahl der Signale zeigt, welche es gibt.',
      'No signal has this name. The choice of signals shows which there are.',
    ),
  },
  FILTER_CONFLICT: {
    title: say('Angaben widersprechen sich', 'Parameters contradict each other'),
    text: say(
      'Zwei Angaben schließen einander aus, oder ein Bereich endet, bevor er beginnt. Ohne eine von beiden geht es.',
      'Two parameters exclude each other, or a range ends before it begins. Without one of them it works.',
    ),
  },
  TOO_MANY_VALUES: {
    title: say('Es sind zu viele Werte', 'There are too many values'),
    text: say(
      'Eine Liste hat mehr Werte, als eine Anfrage haben darf. In Teilen geht es.',
      'A list has more values than a request may have. In parts it works.',
    ),
  },
  TOO_MANY_GROUPS: {
    title: say('Es sind zu viele Gruppen', 'There are too many groups'),
    text: say(
      'Zwei Merkmale haben zusammen mehr Gruppen, als eine Antwort haben darf. Mit einem Filter oder einem gröberen Merkmal geht es.',
      'Two dimensions together have more groups than an answer may have. With a filter or a coarser dimension it works.',
    ),
  },
  INVALID_CURSOR: {
    title: say('Diese Stelle der Liste gibt es nicht mehr', 'This place in the list does not exist any more'),
    text: say(
      'Die Stelle gehört zu einer anderen Liste, oder der Link wurde verändert. Vom Anfang an geht es.',
      'The place belongs to another list, or the link was changed. It works from the beginning.',
    ),
  },
  INVALID_BODY: {
    title: say('Die Angaben passen nicht', 'What was sent does not fit'),
    text: say(
      'Was gesendet wurde, hat nicht die Form, die verlangt ist. Berichtigt lässt es sich noch einmal senden.',
      'What was sent does not have the form that is required. Corrected, it can be sent again.',
    ),
  },
  MISSING_API_KEY: {
    title: say('Es fehlt der Schlüssel', 'The key is missing'),
    text: say(
      'Die Anfrage kam ohne API-Schlüssel an. Nach dem Abmelden fragt die Seite wieder danach.',
      'The request came without an API key. After signing out, the page asks for it again.',
    ),
  },
  INVALID_API_KEY: {
    title: say('Der Schlüssel wird nicht angenommen', 'The key is not accepted'),
    text: say(
      'Er ist nicht vollständig, nicht bekannt, widerrufen oder abgelaufen. Einen anderen gibt die Verwaltung des Dienstes.',
      'It is not complete, not known, revoked or expired. The administration of the service gives another one.',
    ),
  },
  MISSING_SCOPE: {
    title: say('Der Schlüssel darf das nicht lesen', 'The key may not read this'),
    text: say(
      'Ein Recht fehlt ihm; „Konto“ zeigt die, die er hat. Ein Schlüssel mit diesem Recht zeigt es.',
      'It lacks a right; “Account” shows those that it has. A key with this right shows it.',
    ),
  },
  MISSING_MODULE: {
    title: say('Ein Modul ist nicht gebucht', 'A module is not booked'),
    text: say(
      'Die Organisation hat nicht gebucht, was dafür nötig ist; „Konto“ zeigt, was gebucht ist. Buchen lässt es sich beim Betreiber des Dienstes.',
      'The organisation has not booked what this needs; “Account” shows what is booked. The operator of the service books it.',
    ),
  },
  SIGNAL_NOT_ENTITLED: {
    title: say('Ein Signal ist nicht freigeschaltet', 'A signal is not released'),
    text: say(
      'Das Signal gibt es, aber die Organisation darf es nicht nutzen; „Konto“ zeigt, welche sie nutzen darf. Den Rest gibt der Betreiber des Dienstes frei.',
      'The signal exists, but the organisation may not use it; “Account” shows which it may. The operator of the service releases the rest.',
    ),
  },
  INSUFFICIENT_SCOPE: {
    title: say('Das Feld ist nicht offen', 'The field is not open'),
    text: say(
      'Der Partner fragt dieses Feld zu dieser Einheit nicht ab. Er kann es dafür öffnen.',
      'The partner does not ask for this field of this unit. The partner can open it.',
    ),
  },
  FIELD_NOT_WRITABLE: {
    title: say('Das Feld schreibt die andere Seite', 'The other side writes this field'),
    text: say(
      'Geteilte Felder schreibt nur, wem sie gehören. Ändern kann es die andere Seite.',
      'Shared fields are written by those alone to whom they belong. The other side can change it.',
    ),
  },
  DUMPS_NOT_ALLOWED: {
    title: say('Der Abzug ist nicht freigeschaltet', 'The dump is not released'),
    text: say(
      'Ganze Abzüge des Registers gibt der Betreiber des Dienstes einzeln frei.',
      'Whole dumps of the register are released by the operator of the service one by one.',
    ),
  },
  FORM_REFUSED: {
    title: say('Das Formular wurde abgelehnt', 'The form was refused'),
    text: say(
      'Es kam nicht von seiner Seite. Neu geöffnet lässt es sich senden.',
      'It did not come from its own page. Opened anew, it can be sent.',
    ),
  },
  NOT_FOUND: {
    title: say('Das gibt es nicht', 'This does not exist'),
    text: say(
      'Unter dieser Nummer oder diesem Namen ist nichts gespeichert. Vielleicht ist sie vertippt, oder es wurde gelöscht.',
      'Nothing is kept under this number or name. Perhaps it is mistyped, or it was deleted.',
    ),
  },
  METHOD_NOT_ALLOWED: {
    title: say('Das geht hier nicht', 'This does not work here'),
    text: say(
      'Die Adresse gibt es, aber nicht für diese Anfrage. Neu geladen sendet die Seite sie wohl anders.',
      'The address exists, but not for this request. Loaded anew, the page probably sends it otherwise.',
    ),
  },
  NOT_ACCEPTABLE: {
    title: say('Diese Form gibt es nicht', 'There is no such form'),
    text: say(
      'Die Antwort gibt es nicht in der verlangten Form. In einer anderen geht es.',
      'There is no answer in the form that was asked for. In another one it works.',
    ),
  },
  CONFLICT: {
    title: say('Das gibt es schon', 'This exists already'),
    text: say(
      'Etwas anderes der Organisation hat schon, was nur eines haben darf. Mit einem anderen Namen geht es.',
      'Something else of the organisation has what only one may have. With another name it works.',
    ),
  },
  IDEMPOTENCY_KEY_REUSED: {
    title: say('Die Änderung wurde schon gesendet', 'The change was sent already'),
    text: say(
      'Unter ihrem Kennzeichen kam eine andere an. Neu geladen zeigt die Seite, was gilt.',
      'Another one came under its key. Loaded anew, the page shows what holds.',
    ),
  },
  IDEMPOTENCY_IN_PROGRESS: {
    title: say('Die Änderung läuft noch', 'The change is still running'),
    text: say(
      'Sie wurde schon einmal gesendet und ist noch nicht fertig. In einigen Sekunden zeigt die Seite, neu geladen, was daraus wurde.',
      'It was sent once already and is not finished. In a few seconds the page, loaded anew, shows what became of it.',
    ),
  },
  DELTA_ANCHOR_TOO_OLD: {
    title: say('So weit reichen die Änderungen nicht zurück', 'Changes do not reach back so far'),
    text: say(
      'Von diesem Zeitpunkt an sind nicht mehr alle Änderungen bekannt. Ab einem späteren geht es.',
      'From this moment on, not all changes are known any more. From a later one it works.',
    ),
  },
  SYNC_TOKEN_INVALID: {
    title: say('Der Stand ist nicht mehr bekannt', 'The state is not known any more'),
    text: say(
      'Von diesem Stand aus lassen sich Änderungen nicht lesen. Die ganze Liste geht.',
      'Changes cannot be read from this state on. The whole list can.',
    ),
  },
  LINK_EXPIRED: {
    title: say('Der Link gilt nicht mehr', 'The link is no longer valid'),
    text: say(
      'Er ist abgelaufen oder wurde zurückgezogen. Wer ihn gegeben hat, kann einen neuen geben.',
      'It has expired or was withdrawn. Whoever gave it can give a new one.',
    ),
  },
  NOT_SHARED: {
    title: say('Das zeigt dieser Link nicht', 'This link does not show that'),
    text: say(
      'Geteilt ist nur die eine Ansicht. Wer ihn gegeben hat, kann auch andere teilen.',
      'Only the one view is shared. Whoever gave it can share others, too.',
    ),
  },
  PAYLOAD_TOO_LARGE: {
    title: say('Es ist zu viel auf einmal', 'This is too much at once'),
    text: say('In kleineren Teilen geht es.', 'In smaller parts it works.'),
  },
  UNSUPPORTED_MEDIA_TYPE: {
    title: say('Diese Form wird nicht gelesen', 'This form is not read'),
    text: say(
      'Was gesendet wurde, kam nicht als JSON an. Neu geladen sendet die Seite es anders.',
      'What was sent did not come as JSON. Loaded anew, the page sends it otherwise.',
    ),
  },
  RANGE_NOT_SATISFIABLE: {
    title: say('Dieser Teil fehlt', 'This part is missing'),
    text: say(
      'Die Datei hat den verlangten Teil nicht. Von vorn geladen kommt sie ganz.',
      'The file does not have the part that was asked for. Loaded from the beginning, it comes whole.',
    ),
  },
  UNPROCESSABLE: {
    title: say('Das lässt sich so nicht speichern', 'This cannot be stored so'),
    text: say(
      'Die Angabe verletzt eine Regel; berichtigt geht es.',
      'What was sent breaks a rule; corrected, it works.',
    ),
  },
  RATE_LIMITED: {
    title: say('Das Limit für Anfragen ist erreicht', 'The limit of requests is reached'),
    text: say(
      'Der Schlüssel darf nur so viele Anfragen in der Minute stellen; gleich geht es weiter.',
      'The key may make only so many requests a minute; it goes on in a moment.',
    ),
  },
  QUOTA_EXCEEDED: {
    title: say('Das Kontingent des Monats ist verbraucht', 'The quota of the month is used up'),
    text: say(
      'Bis zum nächsten Monat werden Anfragen der Organisation abgelehnt. Mehr gibt der Betreiber des Dienstes.',
      'Requests of the organisation are refused until next month. The operator of the service gives more.',
    ),
  },
  INTERNAL_ERROR: {
    title: say('Der Dienst hat einen Fehler', 'The service has a fault'),
    text: say(
      'Bleibt es beim nächsten Versuch dabei, hilft dem Betreiber die Nummer der Anfrage.',
      'If the next try ends alike, the id of the request helps the operator.',
    ),
  },
  SERVICE_UNAVAILABLE: {
    title: say('Der Dienst schafft das gerade nicht', 'The service cannot do this now'),
    text: say(
      'Die Antwort brauchte mehr Zeit oder Speicher, als eine Frage haben darf. Später, oder enger gefragt, geht es.',
      'The answer took more time or memory than a question may have. Later, or asked more narrowly, it works.',
    ),
  },
  DATASET_NOT_READY: {
    title: say('Es sind noch keine Daten veröffentlicht', 'No data are published yet'),
    text: say(
      'Der erste Stand des Registers wird noch gebaut. In einigen Minuten ist er da.',
      'The first state of the register is still being built. It is there in some minutes.',
    ),
  },
};

/** The interface names the right that is missing: `units:read`. */
const SCOPE = /\b[a-z_]+:[a-z]+\b/;

const REFUSED: ProblemWords = {
  title: say('Die Anfrage wurde abgelehnt', 'The request was refused'),
  text: say(
    'Die Schnittstelle nimmt sie so nicht an; geändert geht sie vielleicht.',
    'The interface does not accept it so; changed, it may work.',
  ),
};
const BROKEN: ProblemWords = {
  title: say('Der Dienst konnte nicht antworten', 'The service could not answer'),
  text: say('Vielleicht geht es später.', 'Perhaps it works later.'),
};

/** The scope that a key lacks; null where that is not the problem. */
export const missingScope = ({ code, detail = '' }: Pick<Problem, 'code' | 'detail'>): string | null =>
  code === 'MISSING_SCOPE' ? (SCOPE.exec(detail)?.[0] ?? null) : null;

const FIRST_STATE = /before the first state that is known, which is of (\d{4}-\d\d-\d\d)/;

/** A problem in words: by its code, or as the pages say it themselves. */
export function wordsOf({ status, code, title, detail = '' }: Problem): ProblemWords {
  const words = WORDS[code];
  const first = FIRST_STATE.exec(detail)?.[1];
  if (words !== undefined && first !== undefined) {
    const text = say(
      `Der erste Stand, der bekannt ist, ist vom ${day(first)}.`,
      `The first state that is known is of ${day(first)}.`,
    );
    return { ...words, text };
  }
  const scope = missingScope({ code, detail });
  if (words !== undefined)
    return scope === null
      ? words
      : { ...words, text: say(`${words.text} Es ist ${scope}.`, `${words.text} It is ${scope}.`) };
  if (status === 0 || code.startsWith('HTTP_')) return { title, text: detail };
  return status < 500 ? REFUSED : BROKEN;
}

/** The same in a line. */
export function sentenceOf(problem: Problem): string {
  const { title, text } = wordsOf(problem);
  const concerned = concernedBy(problem);
  return [
    `${title}.`,
    text,
    concerned.length === 0 ? '' : say(`Betroffen: ${concerned.join(', ')}.`, `Concerned: ${concerned.join(', ')}.`),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Whether the same may succeed when it is tried again. What the interface has refused, it refuses again. */
export const helpsToRetry = ({ status, retryable }: Problem): boolean =>
  retryable || status === 0 || status === 429 || status >= 500;

/** Names of the parameters and members that are at fault. */
export const concernedBy = ({ errors = [] }: Problem): readonly string[] => [
  ...new Set(errors.map(({ parameter, pointer }) => parameter ?? pointer ?? '').filter(Boolean)),
];

/** Why a row of a change was not written. */
const ROW_WORDS: Readonly<Record<string, string>> = {
  NOT_FOUND: say('Das Register hat diese Einheit nicht', 'The register does not have this unit'),
  UNPROCESSABLE: say('Diese Zeile lässt sich so nicht speichern', 'This row cannot be stored so'),
};

export const rowWords = ({ code }: { readonly code: string }): string =>
  ROW_WORDS[code] ?? WORDS[code]?.title ?? REFUSED.title;
