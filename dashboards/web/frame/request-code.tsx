import { useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import type { ApiRequest } from '../v1/request.ts';
import { SNIPPETS } from './snippets.ts';

/** The requests behind a figure, as programs that run as they are. The key is not in them. */
export function RequestCode({
  requests,
  paged,
  root,
  title,
}: {
  requests: readonly ApiRequest[];
  /** True: the answers are lists that come page by page. */
  paged: boolean;
  root: string;
  /** Of the figure. */
  title: string;
}) {
  const [chosen, choose] = useState(0);
  // A body is written as a shell needs it; the other languages would each need a notation of their own.
  const languages = requests.some(({ body }) => body !== undefined) ? SNIPPETS.slice(0, 1) : SNIPPETS;
  const language = languages[chosen] ?? SNIPPETS[0];
  const text = requests.map((request) => language?.write(request, root, paged)).join('\n\n');
  return (
    <div class="request-code">
      {languages.length > 1 && (
        <fieldset
          class="languages"
          aria-label={say(`Sprache der Anfrage: ${title}`, `Language of the request: ${title}`)}
        >
          {languages.map(({ name }, index) => (
            <button key={name} type="button" aria-pressed={index === chosen} onClick={() => choose(index)}>
              {name}
            </button>
          ))}
        </fieldset>
      )}
      <CopyableCode
        text={text}
        label={say(`Anfrage in ${language?.name}: ${title}`, `Request in ${language?.name}: ${title}`)}
      />
      <p class="note">
        {say('Der Schlüssel steht nicht darin: vorher ', 'The key is not in it: first set ')}
        <code>export KEY=…</code>
        {say(' setzen.', '.')}
      </p>
    </div>
  );
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
      {isSecureContext && (
        <button type="button" onClick={copy}>
          {isCopied ? say('Kopiert', 'Copied') : say('Kopieren', 'Copy')}
        </button>
      )}
    </div>
  );
}
