import type { ExampleRequest } from '../openapi/examples.ts';

/** One request as code, in the languages that the pages show. */

/** A request that a sample sends. */
export interface SampleRequest {
  readonly method: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Path template. */
  readonly path: string;
  readonly request: ExampleRequest;
  readonly needsKey: boolean;
}

/** The languages in the order of the tabs, with the name of each for highlighting. */
export const SAMPLE_LANGUAGES = {
  curl: { title: 'curl', language: 'sh', write: curl },
  javascript: { title: 'JavaScript', language: 'javascript', write: javascript },
  python: { title: 'Python', language: 'python', write: python },
} as const;

/** Path and query as they are sent. */
export function pathAndQueryOf({ path, request }: Pick<SampleRequest, 'path' | 'request'>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(request.path?.[name] ?? ''));
  const query = [...new URLSearchParams(request.query)].map(([name, value]) => `${name}=${encodedValue(value)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Commas and colons have no meaning of their own in a query, and are easier to read as they are. */
const encodedValue = (value: string): string => encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');

function curl(sample: SampleRequest): string {
  const { method, baseUrl, needsKey, request } = sample;
  const options = [
    // curl itself chooses GET, and POST with a body.
    ...(method === (request.body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...Object.entries(request.headers ?? {}).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(request.body === undefined ? [] : [`--json '${inCurl(request.body)}'`]),
  ];
  return ['curl', ...options.map((option) => `${option} \\\n `), `"${baseUrl}${pathAndQueryOf(sample)}"`].join(' ');
}

function javascript(sample: SampleRequest): string {
  const { method, baseUrl, request } = sample;
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${quote(method)},`]),
    ...headersIn(sample, javascriptHeaders),
    ...(request.body === undefined ? [] : [`  body: JSON.stringify(${indented(inJavascript(request.body), '  ')}),`]),
  ];
  const address = quote(`${baseUrl}${pathAndQueryOf(sample)}`);
  const call = options.length === 0 ? `fetch(${address})` : `fetch(${address}, {\n${options.join('\n')}\n})`;
  return `const response = await ${call};\nconst answer = await response.${readAs(sample)}();`;
}

/** Bodies up to this length stay on one line. */
const SHORT_BODY = 60;

/** JSON between single quotes of a shell. */
function inCurl(body: unknown): string {
  const short = JSON.stringify(body);
  return (short.length <= SHORT_BODY ? short : JSON.stringify(body, null, 2)).replaceAll("'", "'\\''");
}

const javascriptHeaders = (headers: readonly Header[]): string[] => [
  '  headers: {',
  ...headers.map(
    ([name, value]) =>
      `    ${/^\w+$/.test(name) ? name : quote(name)}: ${value === KEY ? `\`Bearer \${process.env.KEY}\`` : quote(value)},`,
  ),
  '  },',
];

function python(sample: SampleRequest): string {
  const { method, baseUrl, path, request } = sample;
  const filled = pathAndQueryOf({ path, request: { path: request.path ?? {} } });
  const parameters = [...new URLSearchParams(request.query)];
  const options = [
    `    ${JSON.stringify(`${baseUrl}${filled}`)},`,
    ...(parameters.length === 0 ? [] : [`    params=${indented(inPython(Object.fromEntries(parameters)), '    ')},`]),
    ...headersIn({ ...sample, request: withoutBody(request) }, pythonHeaders),
    ...(request.body === undefined ? [] : [`    json=${indented(inPython(request.body), '    ')},`]),
    '    timeout=60,',
  ];
  return [
    `import ${sample.needsKey ? 'os\n\nimport requests' : 'requests'}`,
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...options,
    ')',
    'response.raise_for_status()',
    `answer = response.${readAs(sample) === 'json' ? 'json()' : 'text'}`,
  ].join('\n');
}

const pythonHeaders = (headers: readonly Header[]): string[] => [
  '    headers={',
  ...headers.map(
    ([name, value]) =>
      `        ${JSON.stringify(name)}: ${value === KEY ? 'f"Bearer {os.environ[\'KEY\']}"' : JSON.stringify(value)},`,
  ),
  '    },',
];

const withoutBody = ({ body, ...request }: ExampleRequest): ExampleRequest => request;

type Header = readonly [name: string, value: string | typeof KEY];

/** Stands for the key of the caller, which each language reads from the environment in its own way. */
const KEY = Symbol('key');

/** The headers of a request as lines of code; none when it has none. */
function headersIn(
  { needsKey, request }: SampleRequest,
  write: (headers: readonly Header[]) => readonly string[],
): readonly string[] {
  const headers: Header[] = [
    ...(needsKey ? [['Authorization', KEY] as const] : []),
    ...(request.body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ...Object.entries(request.headers ?? {}),
  ];
  return headers.length === 0 ? [] : write(headers);
}

const readAs = ({ path }: SampleRequest): 'json' | 'text' => (/^\/docs/.test(path) ? 'text' : 'json');

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** JSON as a JavaScript programmer writes it. */
const inJavascript = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');

/** JSON as Python writes it: true, false and null have other names there. */
const inPython = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(true|false|null)\b/g,
    (piece, word: string | undefined) => (word === undefined ? piece : (PYTHON_WORDS[word] ?? word)),
  );

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
