/** Switches between light and dark, and remembers it where the browser allows; without a choice the system decides. */
export function switchTheme(): void {
  const { dataset } = document.documentElement;
  const isDark =
    dataset.theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset.theme === 'dark';
  dataset.theme = isDark ? 'light' : 'dark';
  try {
    localStorage.setItem('theme', dataset.theme);
  } catch {
    // A browser that keeps nothing follows the system on the next page.
  }
}
