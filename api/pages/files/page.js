/**
 * What the pages do beyond showing text: search, colours, the navigation of small screens, copying code, the language of
 * the samples, and sending requests. Without it the pages can still be read.
 */

const root = document.body.dataset.root;
const byId = (id) => document.getElementById(id);

/** Keeps a choice in the browser; where that is forbidden it lasts as long as the page. */
function keep(storage, name, value) {
  try {
    window[storage].setItem(name, value);
  } catch {
    // Nothing depends on it.
  }
}

function kept(storage, name) {
  try {
    return window[storage].getItem(name);
  } catch {
    return null;
  }
}

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

// Colours: the button turns to the other of the two that are seen now.
byId('theme').addEventListener('click', () => {
  const shown = document.documentElement.dataset.theme;
  const dark = shown === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : shown === 'dark';
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  keep('localStorage', 'theme', dark ? 'light' : 'dark');
});

// The navigation of a small screen.
const menu = byId('menu');
const navigation = byId('navigation');
function showNavigation(open) {
  document.body.classList.toggle('navigating', open);
  menu?.setAttribute('aria-expanded', String(open));
}
menu?.addEventListener('click', () => showNavigation(!document.body.classList.contains('navigating')));
byId('main').addEventListener('click', () => showNavigation(false));
navigation?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });

// An anchor inside a closed part opens it.
function openTarget() {
  const target = location.hash === '' ? null : byId(decodeURIComponent(location.hash.slice(1)));
  for (let part = target?.closest('details'); part; part = part.parentElement.closest('details')) part.open = true;
  target?.scrollIntoView();
}
window.addEventListener('hashchange', openTarget);
openTarget();

// Search: the index is fetched with the first word.
const input = byId('search');
const list = byId('found');
const MOST_FOUND = 12;
let entries = null;
let chosen = -1;

async function load() {
  entries ??= fetch(document.body.dataset.search).then((answer) => answer.json());
  return entries;
}

/** How well an entry fits: each word must occur; a name that is the text, or begins with it, is first, and what is found by words that are not shown is last. */
function rank({ title, text, kind, words: hidden }, words) {
  const name = title.toLowerCase();
  const shown = `${name} ${kind} ${text}`.toLowerCase();
  if (!words.every((word) => shown.includes(word) || hidden.includes(word))) return 0;
  const typed = words.join(' ');
  if (name === typed) return 5;
  if (name.startsWith(typed)) return 4;
  if (words.every((word) => name.includes(word))) return 3;
  return words.every((word) => shown.includes(word)) ? 2 : 1;
}

async function find() {
  const typed = input.value;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return showFound([]);
  const all = await load();
  // While the index was on its way, something else may have been typed.
  if (input.value !== typed) return;
  const ranked = all.map((entry) => ({ entry, rank: rank(entry, words) })).filter((one) => one.rank > 0);
  showFound(
    ranked
      .sort((one, other) => other.rank - one.rank)
      .slice(0, MOST_FOUND)
      .map(({ entry }) => entry),
    true,
  );
}

function showFound(found, asked = false) {
  chosen = -1;
  input.removeAttribute('aria-activedescendant');
  const rows = found.map(({ title, kind, text, path }, index) => {
    const link = element('a', { href: root + path, tabIndex: -1 }, element('b', { textContent: title }));
    link.append(element('small', { textContent: kind }), element('span', { textContent: text }));
    const row = element('li', { id: `found-${index}` }, link);
    row.setAttribute('role', 'option');
    return row;
  });
  if (asked && rows.length === 0) rows.push(element('li', { className: 'nothing', textContent: 'Nothing found' }));
  list.replaceChildren(...rows);
  list.hidden = rows.length === 0;
  input.setAttribute('aria-expanded', String(rows.length > 0));
}

function choose(index) {
  const rows = [...list.querySelectorAll('[role=option]')];
  if (rows.length === 0) return;
  chosen = (index + rows.length) % rows.length;
  for (const [place, row] of rows.entries()) row.setAttribute('aria-selected', String(place === chosen));
  rows[chosen].scrollIntoView({ block: 'nearest' });
  input.setAttribute('aria-activedescendant', rows[chosen].id);
}

input.addEventListener('input', find);
input.addEventListener('focus', () => input.value !== '' && find());
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') choose(chosen + 1);
  else if (event.key === 'ArrowUp') choose(chosen - 1);
  else if (event.key === 'Enter') list.querySelectorAll('[role=option] a')[Math.max(chosen, 0)]?.click();
  else if (event.key === 'Escape') {
    showFound([]);
    input.blur();
  } else return;
  event.preventDefault();
});
list.addEventListener('click', () => showFound([]));
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) showFound([]);
});
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input, textarea, select');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});

// Code can be copied.
for (const block of document.querySelectorAll('pre')) {
  const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  const holder = element('div', { className: 'code' });
  block.replaceWith(holder);
  holder.append(block, button);
}

// The language of one sample is that of all, on this page and on the next.
function showLanguage(language) {
  for (const radio of document.querySelectorAll(`.samples input[value="${CSS.escape(language)}"]`))
    radio.checked = true;
}
showLanguage(kept('localStorage', 'language') ?? 'curl');
for (const radio of document.querySelectorAll('.samples input')) {
  radio.addEventListener('change', () => {
    keep('localStorage', 'language', radio.value);
    showLanguage(radio.value);
  });
}

// Requests are sent to where the page came from: the browser allows it no other address.
const form = byId('try');
if (form !== null) {
  const { key, path, body } = form.elements;
  if (key) key.value = kept('sessionStorage', 'key') ?? '';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('[type=submit]');
    button.disabled = true;
    if (key) keep('sessionStorage', 'key', key.value);
    try {
      showAnswer(await send(form.dataset, path.value, key?.value ?? '', body?.value));
    } catch (error) {
      showAnswer(`The request could not be sent: ${error.message}`);
    } finally {
      button.disabled = false;
    }
  });
}

async function send({ method, accept }, path, key, body) {
  const headers = { Accept: accept };
  if (key.trim() !== '') headers.Authorization = `Bearer ${key.trim()}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(root + path.replace(/^\/+/, ''), { method, headers, body });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '') && text !== '';
  const told = ['content-type', 'x-request-id', 'ratelimit', 'link', 'etag']
    .filter((name) => answer.headers.has(name))
    .map((name) => `${name}: ${answer.headers.get(name)}`);
  const content = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return `${answer.status} ${answer.statusText}\n${told.join('\n')}\n\n${content}`;
}

/** Longer answers would make the page slow; the whole of them is for programs. */
const MOST_SHOWN = 200_000;

function showAnswer(text) {
  const answer = byId('answer');
  answer.textContent = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n…` : text;
  answer.closest('[hidden]')?.removeAttribute('hidden');
  answer.focus();
}
