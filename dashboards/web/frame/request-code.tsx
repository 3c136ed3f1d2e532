import { useState } from 'preact/hooks';
import { type ApiRequest, addressOf, methodOf } from '../v1/request.ts';

/** The requests behind a figure, ready to be copied into a terminal. The key is not in them. @param title of the figure */
export function RequestCode({
  requests,
  root,
  title,
}: {
  requests: readonly ApiRequest[];
  root: string;
  title: string;
}) {
  const text = requests.map((request) => curlOf(request, root)).join('\n\n');
  return <CopyableCode text={text} label={`Anfrage: ${title}`} />;
}

export function CopyableCode({ text, label }: { text: string; label: string }) {
  const [isCopied, set] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    set(true);
    setTimeout(() => set(false), 2000);
  };
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <button type="button" onClick={copy}>
        {isCopied ? 'Kopiert' : 'Kopieren'}
      </button>
    </div>
  );
}

/** A word for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function curlOf(request: ApiRequest, root: string): string {
  const method = methodOf(request);
  const body =
    request.body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(request.body))}`];
  const parts = [
    `curl -H "Authorization: Bearer $KEY"${method === 'GET' ? '' : ` -X ${method}`}`,
    ...body,
    quoted(new URL(addressOf(request).slice(1), root).href),
  ];
  return parts.join(' \\\n  ');
}
