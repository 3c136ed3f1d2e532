/** The value of `Content-Type` for a media type. The register's names have umlauts, so every text says its charset. */
export function contentType(media: string): string {
  if (media === 'text/csv') return `${media}; charset=utf-8; header=present`;
  return /^text|json|javascript|svg/.test(media) ? `${media}; charset=utf-8` : media;
}
