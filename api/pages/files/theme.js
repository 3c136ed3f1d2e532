// Runs before the page is drawn, so that it never flashes in the other colours.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // A browser that keeps nothing follows the system.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}
