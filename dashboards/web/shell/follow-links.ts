/**
 * Lets plain links between pages be followed without loading the document again. Links to elsewhere, new tabs and downloads
 * stay with the browser.
 */
export function followLinks(base: string, go: (target: string) => void): () => void {
  const follow = (event: MouseEvent): void => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const link = (event.target as Element).closest?.('a');
    if (event.defaultPrevented || !isPlain || link == null) return;
    const { origin, pathname, search, hash } = new URL((link as HTMLAnchorElement).href, location.href);
    const isPage = origin === location.origin && (pathname === base || pathname.startsWith(`${base}/`));
    if (!isPage || hash !== '' || link.hasAttribute('download') || link.getAttribute('target') !== null) return;
    // Another language is another document.
    if (link.hasAttribute('hreflang')) return;
    event.preventDefault();
    go(pathname + search);
  };
  document.addEventListener('click', follow);
  return () => document.removeEventListener('click', follow);
}
