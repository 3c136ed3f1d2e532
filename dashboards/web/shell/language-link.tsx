import { CHOSEN_LANGUAGE, say } from '../format/language.ts';

/** Shows the page in the other language, and remembers that: the address says so, and a cookie that the service reads. */
export function LanguageLink({ root }: { root: string }) {
  const other = say('en', 'de');
  const target = new URL(location.href);
  target.searchParams.set(CHOSEN_LANGUAGE, other);
  const keep = (): void => {
    const path = new URL(root).pathname;
    // biome-ignore lint/suspicious/noDocumentCookie: the other way is missing in some browsers
    document.cookie = `${CHOSEN_LANGUAGE}=${other}; Path=${path}; Max-Age=31536000; SameSite=Lax`;
  };
  return (
    <a
      class="quiet"
      href={target.href}
      hreflang={other}
      lang={other}
      aria-label={say('EN: English', 'DE: Deutsch')}
      onClick={keep}
    >
      {other.toUpperCase()}
    </a>
  );
}
