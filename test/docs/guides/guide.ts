/** A curl command, with the answer that the page shows for it as an HTTP message. */
export interface RequestStep {
  readonly kind: 'request';
  readonly name: string;
  readonly command: string;
  /** Empty where curl writes it into a file. */
  readonly answer: string;
}

/** `npm run <script> -- <words>`. */
export interface CommandStep {
  readonly kind: 'command';
  readonly name: string;
  readonly script: string;
  readonly words: readonly string[];
  /** The text that is piped into it: `echo '<input>' |`, or `printf '<input>' |`, in which `\n` is a line break. */
  readonly input: string | null;
  /** The shell variable that gets what it prints: `export <variable>=$(…)`. */
  readonly variable: string | null;
  /** The output as the page shows it; null = the page shows none. */
  readonly prints: { readonly form: 'json' | 'text'; readonly text: string } | null;
}

/**
 * A program that the reader runs, with what it prints; the address and the key are in its environment, as API and KEY.
 */
export interface ProgramStep {
  readonly kind: 'program';
  readonly name: string;
  readonly language: Language;
  readonly text: string;
  readonly prints: string;
}

const LANGUAGES = ['python', 'r', 'sql', 'powerquery', 'ts'] as const;

export type Language = (typeof LANGUAGES)[number];

/** A page is read as the steps that its reader takes, in order. */
export type GuideStep = RequestStep | CommandStep | ProgramStep;

/** A page may set these variables first, which keeps its requests short. */
const VARIABLES = 'export API=http://127.0.0.1:8080 KEY=$(cat var/demo-key)';

/**
 * Reads every fenced block: `sh` holds one curl command, whose answer is the next block, or several `npm run` commands;
 * a block `text`, or `json`, behind a single one is what it prints; `json` and `csv` are the body of an answer, `http`
 * an answer with its status and headers. `python`, `r`, `sql`, `powerquery` and `ts` hold a program, and a block `text`
 * behind it what it prints.
 * @throws Error for any other block, and for a request without its answer
 */
export function readGuide(page: string): GuideStep[] {
  const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text], place, all) => ({
    language,
    text: (language === 'sh' ? text!.replaceAll(/\\\n\s*/g, '') : text!).trimEnd(),
    line: page.slice(0, all[place]!.index).split('\n').length + 1,
  }));
  const steps: GuideStep[] = [];
  for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) {
    const { text, line } = block;
    const program = LANGUAGES.find((name) => name === block.language);
    if (program !== undefined) {
      const prints = blocks[0]?.language === 'text' ? blocks.shift()!.text : '';
      steps.push({ kind: 'program', name: `line ${line}: ${program}`, language: program, text, prints });
      continue;
    }
    if (block.language !== 'sh') throw new Error(`Line ${line}: an answer without a request`);
    if (text === VARIABLES) continue;
    if (COMMAND.test(text)) {
      const lines = text.split('\n');
      const isShown = lines.length === 1 && ['json', 'text'].includes(blocks[0]?.language ?? '');
      const shown = isShown ? blocks.shift() : undefined;
      const prints = shown === undefined ? null : { form: shown.language as 'json' | 'text', text: shown.text };
      steps.push(...lines.map((words) => command(words, line, prints)));
    } else steps.push(request(text, line, / -o /.test(text) ? TO_FILE : blocks.shift()));
  }
  return steps;
}

/** Stands for the answer that no page shows, since curl writes it into a file. */
const TO_FILE = { language: 'http', text: '', line: 0 };

const COMMAND =
  /^(?:export (?<variable>[A-Z]+)=\$\()?(?:(?<pipe>echo|printf) '(?<input>[^']*)' \| )?npm run (?:-s )?(?<script>[\w:]+)(?: -- (?<words>[^\n]+?))?\)?$/m;

function command(text: string, line: number, prints: CommandStep['prints']): CommandStep {
  const { variable = null, pipe, input = null, script, words = '' } = COMMAND.exec(text)?.groups ?? {};
  if (script === undefined) throw new Error(`Line ${line}: ${text} is no npm script of the project`);
  const pieces = [...words.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)];
  return {
    ...{ kind: 'command', name: `line ${line}: ${text}`, script, variable, prints },
    input: input === null || pipe === 'echo' ? input : input.replaceAll('\\n', '\n'),
    words: pieces.map(([, single, double, bare]) => single ?? double ?? bare ?? ''),
  };
}

function request(
  text: string,
  line: number,
  answer: { language?: string | undefined; text: string } | undefined,
): RequestStep {
  if (answer === undefined || !['json', 'csv', 'http'].includes(answer.language ?? '')) {
    throw new Error(`Line ${line}: a request without its answer`);
  }
  return {
    kind: 'request',
    name: `line ${line}: ${/\$API([^"\s]+)/.exec(text)?.[1]}`,
    command: text,
    answer: answer.language === 'http' ? answer.text : `HTTP/1.1 200 OK\n\n${answer.text}`,
  };
}
