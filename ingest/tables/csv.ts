/** A record of a CSV text and the line on which it begins, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Takes a small CSV text apart (RFC 4180): quoted cells may hold separators, doubled quotes and line breaks. The
 * separator is a semicolon where the first line has one outside of quotes, else a comma, as spreadsheets write either.
 * Empty lines and a byte order mark do not count.
 */
export function splitCsv(text: string): CsvRecord[] {
  const content = text.replace(/^\ufeff/, '');
  const separator = /^(?:"[^"]*"|[^"\r\n])*?;/.test(content) ? ';' : ',';
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begun = 1;
  const endRecord = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) records.push({ line: begun, cells });
    cells = [];
    cell = '';
  };
  for (let at = 0; at < content.length; at++) {
    const character = content.charAt(at);
    if (character === '\n') line += 1;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (content[at + 1] === '"') cell += content.charAt(++at);
      else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === separator) {
      cells.push(cell);
      cell = '';
    } else if (character === '\n') {
      endRecord();
      begun = line;
    } else if (character !== '\r') cell += character;
  }
  endRecord();
  return records;
}
