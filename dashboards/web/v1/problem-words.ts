import type { Problem } from './problem.ts';

/** Problems of the interface in German, by their codes: its own words are English, for those who program with it. */

export interface ProblemWords {
  readonly title: string;
  readonly text: string;
}

/** Every code that the interface has under /v1. */
const WORDS: Readonly<Record<string, ProblemWords>> = {
  INVALID_PARAMETER: {
    title: 'Eine Angabe passt nicht',
    text: 'Ein Wert hat nicht die Form oder liegt nicht in dem Bereich, den die Schnittstelle verlangt.',
  },
  UNKNOWN_PARAMETER: {
    title: 'Eine Angabe ist nicht bekannt',
    text: 'Die Schnittstelle hat keinen Filter und keine Angabe dieses Namens.',
  },
  UNKNOWN_FIELD: {
    title: 'Ein Feld gibt es nicht',
    text: 'Ein Feld, das gezeigt werden soll, gibt es nicht, oder es lässt sich nur filtern.',
  },
  NOT_SORTABLE: {
    title: 'So lässt sich die Liste nicht ordnen',
    text: 'Nach diesem Feld wird nicht geordnet; die Köpfe der Tabelle zeigen, wonach.',
  },
  UNKNOWN_SIGNAL: { title: 'Ein Signal gibt es nicht', text: 'Kein Signal hat diesen Namen.' },
  FILTER_CONFLICT: {
    title: 'Angaben widersprechen sich',
    text: 'Zwei Angaben schließen einander aus, oder ein Bereich endet, bevor er beginnt.',
  },
  TOO_MANY_VALUES: {
    title: 'Es sind zu viele Werte',
    text: 'Eine Liste hat mehr Werte, als eine Anfrage haben darf. In Teilen geht es.',
  },
  INVALID_CURSOR: {
    title: 'Diese Stelle der Liste gibt es nicht mehr',
    text: 'Die Stelle gehört zu einer anderen Liste, oder der Link wurde verändert. Vom Anfang an geht es.',
  },
  INVALID_BODY: {
    title: 'Die Angaben passen nicht',
    text: 'Was gesendet wurde, hat nicht die Form, die verlangt ist.',
  },
  MISSING_API_KEY: { title: 'Es fehlt der Schlüssel', text: 'Die Anfrage kam ohne API-Schlüssel an.' },
  INVALID_API_KEY: {
    title: 'Der Schlüssel wird nicht angenommen',
    text: 'Er ist nicht vollständig, nicht bekannt, widerrufen oder abgelaufen.',
  },
  MISSING_SCOPE: {
    title: 'Der Schlüssel darf das nicht lesen',
    text: 'Ein Recht fehlt ihm; „Konto“ zeigt die, die er hat.',
  },
  MISSING_MODULE: {
    title: 'Ein Modul ist nicht gebucht',
    text: 'Die Organisation hat nicht gebucht, was dafür nötig ist; „Konto“ zeigt, was gebucht ist.',
  },
  SIGNAL_NOT_ENTITLED: {
    title: 'Ein Signal ist nicht freigeschaltet',
    text: 'Das Signal gibt es, aber die Organisation darf es nicht nutzen; „Konto“ zeigt, welche sie nutzen darf.',
  },
  INSUFFICIENT_SCOPE: {
    title: 'Das Feld ist nicht offen',
    text: 'Der Partner fragt dieses Feld zu dieser Einheit nicht ab.',
  },
  FIELD_NOT_WRITABLE: {
    title: 'Das Feld schreibt die andere Seite',
    text: 'Geteilte Felder schreibt nur, wem sie gehören.',
  },
  DUMPS_NOT_ALLOWED: {
    title: 'Der Abzug ist nicht freigeschaltet',
    text: 'Ganze Abzüge des Registers gibt der Betreiber des Dienstes einzeln frei.',
  },
  FORM_REFUSED: { title: 'Das Formular wurde abgelehnt', text: 'Es kam nicht von seiner Seite.' },
  NOT_FOUND: { title: 'Das gibt es nicht', text: 'Unter dieser Nummer oder diesem Namen ist nichts gespeichert.' },
  METHOD_NOT_ALLOWED: { title: 'Das geht hier nicht', text: 'Die Adresse gibt es, aber nicht für diese Anfrage.' },
  NOT_ACCEPTABLE: { title: 'Diese Form gibt es nicht', text: 'Die Antwort gibt es nicht in der verlangten Form.' },
  CONFLICT: { title: 'Das gibt es schon', text: 'Etwas anderes der Organisation hat schon, was nur eines haben darf.' },
  IDEMPOTENCY_KEY_REUSED: {
    title: 'Die Änderung wurde schon gesendet',
    text: 'Unter ihrem Kennzeichen kam eine andere an.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    title: 'Die Änderung läuft noch',
    text: 'Sie wurde schon einmal gesendet und ist noch nicht fertig.',
  },
  DELTA_ANCHOR_TOO_OLD: {
    title: 'So weit reichen die Änderungen nicht zurück',
    text: 'Von diesem Zeitpunkt an sind nicht mehr alle Änderungen bekannt.',
  },
  SYNC_TOKEN_INVALID: {
    title: 'Der Stand ist nicht mehr bekannt',
    text: 'Von diesem Stand aus lassen sich Änderungen nicht lesen.',
  },
  LINK_EXPIRED: {
    title: 'Der Link gilt nicht mehr',
    text: 'Er ist abgelaufen oder wurde zurückgezogen. Wer ihn gegeben hat, kann einen neuen geben.',
  },
  NOT_SHARED: { title: 'Das zeigt dieser Link nicht', text: 'Geteilt ist nur die eine Ansicht.' },
  PAYLOAD_TOO_LARGE: { title: 'Es ist zu viel auf einmal', text: 'In kleineren Teilen geht es.' },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'Diese Form wird nicht gelesen',
    text: 'Was gesendet wurde, kam nicht als JSON an.',
  },
  RANGE_NOT_SATISFIABLE: { title: 'Dieser Teil fehlt', text: 'Die Datei hat den verlangten Teil nicht.' },
  UNPROCESSABLE: { title: 'Das lässt sich so nicht speichern', text: 'Die Angabe verletzt eine Regel.' },
  RATE_LIMITED: {
    title: 'Das Limit für Anfragen ist erreicht',
    text: 'Der Schlüssel darf nur so viele Anfragen in der Minute stellen; gleich geht es weiter.',
  },
  QUOTA_EXCEEDED: {
    title: 'Das Kontingent des Monats ist verbraucht',
    text: 'Bis zum nächsten Monat werden Anfragen der Organisation abgelehnt.',
  },
  INTERNAL_ERROR: {
    title: 'Der Dienst hat einen Fehler',
    text: 'Bleibt es beim nächsten Versuch dabei, hilft dem Betreiber die Nummer der Anfrage.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Der Dienst schafft das gerade nicht',
    text: 'Die Antwort brauchte mehr Zeit oder Speicher, als eine Frage haben darf. Später, oder enger gefragt, geht es.',
  },
  DATASET_NOT_READY: {
    title: 'Es sind noch keine Daten veröffentlicht',
    text: 'Der erste Stand des Registers wird noch gebaut.',
  },
};

/** The interface names the right that is missing: `units:read`. */
const SCOPE = /\b[a-z_]+:[a-z]+\b/;

const REFUSED: ProblemWords = {
  title: 'Die Anfrage wurde abgelehnt',
  text: 'Die Schnittstelle nimmt sie so nicht an.',
};
const BROKEN: ProblemWords = { title: 'Der Dienst konnte nicht antworten', text: 'Vielleicht geht es später.' };

/** The scope that a key lacks; null where that is not the problem. */
export const missingScope = ({ code, detail = '' }: Pick<Problem, 'code' | 'detail'>): string | null =>
  code === 'MISSING_SCOPE' ? (SCOPE.exec(detail)?.[0] ?? null) : null;

/** A problem in German: by its code, or as the pages say it themselves. */
export function wordsOf({ status, code, title, detail = '' }: Problem): ProblemWords {
  const words = WORDS[code];
  const scope = missingScope({ code, detail });
  if (words !== undefined) return scope === null ? words : { ...words, text: `${words.text} Es ist ${scope}.` };
  if (status === 0 || code.startsWith('HTTP_')) return { title, text: detail };
  return status < 500 ? REFUSED : BROKEN;
}

/** The same in a line. */
export function sentenceOf(problem: Problem): string {
  const { title, text } = wordsOf(problem);
  const concerned = concernedBy(problem);
  return [`${title}.`, text, concerned.length === 0 ? '' : `Betroffen: ${concerned.join(', ')}.`]
    .filter(Boolean)
    .join(' ');
}

/** Names of the parameters and members that are at fault. */
export const concernedBy = ({ errors = [] }: Problem): readonly string[] => [
  ...new Set(errors.map(({ parameter, pointer }) => parameter ?? pointer ?? '').filter(Boolean)),
];

/** Why a row of a change was not written. */
const ROW_WORDS: Readonly<Record<string, string>> = {
  NOT_FOUND: 'Das Register hat diese Einheit nicht',
  UNPROCESSABLE: 'Diese Zeile lässt sich so nicht speichern',
};

export const rowWords = ({ code }: { readonly code: string }): string =>
  ROW_WORDS[code] ?? WORDS[code]?.title ?? REFUSED.title;
