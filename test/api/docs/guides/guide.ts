/** A page of docs/ as what a reader does with it, in order: requests with the answers shown, and commands in between. */
export type Middleware =
  | { readonly kind: 'request'; readonly name: string; readonly command: string; readonly answer: string }
  | { readonly kind: 'command'; readonly name: string; readonly words: readonly string[] };

/** Commands that a page may begin with, so that its requests are short. */
const VARIABLES = 'export API=http://127.0.0.1:8080 KEY=$(cat var/demo-key)';

/**
 * Every fenced block counts: `sh` is one curl command, whose answer is the next block, or a few of `npm run`; `json` is
 * the body of an answer, `http` an answer with its status and headers.
 * @throws Error for a block that does not fit in
 */
export function readGuide(page: string): Middleware[] {
  const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text], place, all) => ({
    language,
    text: text!.replaceAll(/\\\n\s*/g, '').trimEnd(),
    line: page.slice(0, all[place]!.index).split('\n').length + 1,
  }));
  const steps: Middleware[] = [];
  for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) {
    const { text, line } = block;
    if (block.language !== 'sh') throw new Error(`Line ${line}: an answer without a request`);
    if (text === VARIABLES) continue;
    if (text.startsWith('npm run ')) steps.push(...text.split('\n').map((words) => command(words, line)));
    else steps.push(request(text, line, blocks.shift()));
  }
  return steps;
}

function command(text: string, line: number): Middleware {
  const [, words] = /^npm run (.+)$/.exec(text) ?? [];
  if (words === undefined) throw new Error(`Line ${line}: ${text} is no command of the project`);
  return { kind: 'command', name: `line ${line}: ${text}`, words: words.split(' ').filter((word) => word !== '--') };
}

function request(
  text: string,
  line: number,
  answer: { language?: string | undefined; text: string } | undefined,
): Middleware {
  if (answer === undefined || !['json', 'http'].includes(answer.language ?? '')) {
    throw new Error(`Line ${line}: a request without its answer`);
  }
  return {
    kind: 'request',
    name: `line ${line}: ${/\$API([^"\s]+)/.exec(text)?.[1]}`,
    command: text,
    answer: answer.language === 'json' ? `HTTP/1.1 200 OK\n\n${answer.text}` : answer.text,
  };
}
