import { type ApiRequest, addressOf, methodOf } from '../v1/request.ts';

/**
 * Programs that ask what a figure has asked. They run as they are: the key comes from the environment, and limits are
 * waited for.
 */

/** @param paged true: the answer is a list that comes page by page, and the program reads all pages */
export type Snippet = (request: ApiRequest, root: string, paged: boolean) => string;

export const SNIPPETS: readonly { readonly name: string; readonly write: Snippet }[] = [
  { name: 'curl', write: curlOf },
  { name: 'Python', write: pythonOf },
  { name: 'R', write: rOf },
];

/** A word for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const urlOf = (request: ApiRequest, root: string): URL => new URL(addressOf(request).slice(1), root);

function curlOf(request: ApiRequest, root: string, paged: boolean): string {
  const method = methodOf(request);
  const { href } = urlOf(request, root);
  if (paged) return curlLoop(href);
  const body =
    request.body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(request.body))}`];
  return [`curl -H "Authorization: Bearer $KEY"${method === 'GET' ? '' : ` -X ${method}`}`, ...body, quoted(href)].join(
    ' \\\n  ',
  );
}

/** Each page names the next one in its header Link. */
const curlLoop = (href: string): string => `url=${quoted(href)}
page=1
while [ -n "$url" ]; do
  curl --fail-with-body -sS --retry 5 -H "Authorization: Bearer $KEY" \\
    -D page.headers -o "page-$page.json" "$url" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' page.headers)
  page=$((page + 1))
done`;

/** A text of JSON is one of Python and of R. */
const literal = (text: string): string => JSON.stringify(text);

function pythonOf(request: ApiRequest, root: string, paged: boolean): string {
  const url = urlOf(request, root);
  const question = [...url.searchParams].map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`).join('');
  const reading = paged
    ? `rows, cursor = [], None
while True:
    answer = ask(QUESTION | ({"cursor": cursor} if cursor else {}))
    rows += answer["data"]
    page = answer["meta"].get("page", answer["meta"])
    if not page["hasMore"]:
        break
    cursor = page["cursor"]
`
    : `rows = ask(QUESTION)["data"]
`;
  return `import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

import pandas

ADDRESS = ${literal(url.origin + url.pathname)}
QUESTION = {
${question}}


def ask(question):
    request = urllib.request.Request(
        ADDRESS + "?" + urllib.parse.urlencode(question),
        headers={"Authorization": "Bearer " + os.environ["KEY"]},
    )
    while True:
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            wait = float(refusal.headers.get("Retry-After", 1))
            if refusal.code != 429 or wait > 120:
                raise SystemExit(refusal.read().decode())
            time.sleep(wait)


${reading}
print(pandas.json_normalize(rows))`;
}

function rOf(request: ApiRequest, root: string, paged: boolean): string {
  const url = urlOf(request, root);
  const question = [...url.searchParams].map(([name, value]) => `${name} = ${literal(value)}`);
  const ask = (more: readonly string[]): string => `request(${literal(url.origin + url.pathname)}) |>
  req_url_query(${[...question, ...more].join(', ')}) |>
  req_auth_bearer_token(Sys.getenv("KEY")) |>
  req_retry(max_tries = 5) |>
  req_perform() |>
  resp_body_string() |>
  jsonlite::fromJSON(flatten = TRUE)`;
  if (!paged) {
    return `library(httr2)

answer <- ${ask([])}
print(answer$data)`;
  }
  return `library(httr2)

pages <- list()
cursor <- NULL
repeat {
  answer <- ${ask(['cursor = cursor']).replaceAll('\n', '\n  ')}
  pages <- c(pages, list(answer$data))
  page <- if (is.null(answer$meta$page)) answer$meta else answer$meta$page
  if (!isTRUE(page$hasMore)) break
  cursor <- page$cursor
}
print(jsonlite::rbind_pages(pages))`;
}
