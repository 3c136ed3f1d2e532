import { unit } from '../support/portfolio.ts';
import type { Reality } from './world/reality.ts';
import type { Handle } from './world/world.ts';

/** Ids of the records that `arrangeEverything` makes. */
export interface Arranged {
  readonly connection: string;
  readonly thread: string;
  readonly message: string;
}

const [FIRST, SECOND] = [unit(1), unit(3)];

/**
 * Gives four organisations something of everything, by nearly all commands and operations: A and B are connected, A and
 * C were, and A has invited D and an address.
 */
export async function arrangeEverything(reality: Reality): Promise<Arranged> {
  const [a, b, c, d] = ['A', 'B', 'C', 'D'].map(reality.externalId) as [string, string, string, string];
  const run = async (words: string, input?: unknown) => {
    const answer = await reality.command(words.split(' '), input);
    if (answer === null) throw new Error(`${words} was refused`);
    return answer;
  };
  const ask = async (organisation: Handle, path: string, body?: object, method?: string) => {
    const answer = await reality.ask(organisation, path, body, method);
    if (answer.status !== 200) throw new Error(`${method ?? ''} ${path}: ${answer.text}`);
    return answer.json;
  };
  const field = async (owner: string, words: string): Promise<string> =>
    (await run(`fields create ${owner} ${words}`)).field.id;

  const organisation = { externalId: a, name: 'Stadtwerk' };
  const savedFilters = [{ name: 'Wind', criteria: { einheitTyp: ['wind'] } }];
  await run('import -', { format: 1, organisation, savedFilters });
  await run(`alerts create ${a} Windalarm --template NEW_UNIT --filter Wind`);
  const text = await field(a, 'Zählpunkt --type TEXT --multiple --shared');
  const choice = await field(a, 'Stand --type DROPDOWN --choices offen,fertig --filled-by-partner');
  const day = await field(a, 'Pachtende --type DATE');
  const number = await field(a, 'Pacht --type NUMBER');
  const long = await field(a, 'Notiz --type LONG_TEXT');
  const address = await field(a, 'Seite --type URL');
  const foreign = await field(b, 'Netzpunkt --type TEXT --shared');
  const old = await field(a, 'Alt --type TEXT --shared');
  for (const type of ['FILE', 'CONTACT']) await field(a, `Neu${type} --type ${type}`);
  await run(`fields change ${a} Stand --choices offen,laufend,fertig,nie`);
  await run(`fields change ${a} Stand --choices offen,laufend,fertig`);
  await run(`fields change ${a} Alt --shared no`);
  await run(`fields change ${a} Alt --shared yes`);
  const filled = [
    { defId: text, text: 'Größe eins' },
    { defId: text, text: 'zwei' },
    { defId: day, datum: '2041-06-30', datumsgenauigkeit: 'MONTH' },
    { defId: number, zahl: 12.5 },
    { defId: long, text: 'Eine Zeile\nund noch eine' },
    { defId: address, text: 'https://example.org/x' },
    { defId: old, text: 'von früher' },
  ];
  // Its word remains until the sweep.
  const before = { values: [{ defId: text, text: 'Vorläufig' }] };
  await ask('A', `/v1/units/${FIRST}/custom-fields`, before, 'PUT');
  for (const each of [FIRST, SECOND]) await ask('A', `/v1/units/${each}/custom-fields`, { values: filled }, 'PUT');
  await ask('B', `/v1/units/${FIRST}/custom-fields`, { values: [{ defId: foreign, text: 'NAP 7' }] }, 'PUT');
  await ask('A', `/v1/units/${SECOND}/custom-fields`, { values: [{ defId: day }] }, 'PUT');

  const person = { art: 'PERSON', name: 'Änne Ohm', anrede: 'FRAU', email: 'a@example.org', telefon: '+49 30 1' };
  const { data: contact } = await run(`contacts create ${a} -`, { ...person, firma: 'Öl AG', status: 'SUGGESTED' });
  await run(`contacts change ${a} ${contact.id} -`, { titel: 'Dr.', position: 'Leitung' });
  await run(`contacts confirm ${a} ${contact.id}`);
  await run(`contacts import ${a} -`, 'art,name,email\nFUNCTION,Leitwarte,w@example.org\nFUNCTION,Zentrale,\n');
  const gone = await run(`contacts create ${a} -`, { art: 'FUNCTION', name: 'Gestern' });
  await run(`contacts delete ${a} ${gone.data.id}`);

  const former = (await run(`connections invite ${c} ${a}`)).data.id;
  await run(`connections accept ${a} ${former}`);
  await run(`connections revoke ${c} ${former}`);
  await run(`connections invite ${a} --email ${reality.address('d1')}`);
  await run(`connections invite ${a} ${d}`);
  const declined = (await run(`connections invite ${c} ${a}`)).data.id;
  await run(`connections decline ${a} ${declined}`);
  const connection = (await run(`connections invite ${a} ${b}`)).data.id;
  await run(`connections accept ${b} ${connection}`);
  await run(`connections assets add ${a} ${connection} ${FIRST} ${SECOND} ${unit(2)}`);
  await run(`connections assets remove ${b} ${connection} ${unit(2)}`);
  for (const name of ['Zählpunkt', 'Stand', 'Alt']) await run(`connections fields activate ${a} ${connection} ${name}`);
  await run(`connections fields activate ${b} ${connection} Netzpunkt`);
  await run(`releases add ${a} Zählpunkt --connection ${connection}`);
  await run(`releases add ${a} Alt --connection ${connection}`);
  await run(`releases add ${a} Stand --asset ${FIRST},${SECOND}`);
  await run(`releases withdraw ${a} Stand --asset ${SECOND}`);
  await run(`releases add ${b} Netzpunkt --connection ${connection}`);
  await run(`releases withdraw ${b} Netzpunkt --connection ${connection}`);
  await run(`connections fields deactivate ${b} ${connection} Netzpunkt`);
  await run(`connections fields activate ${b} ${connection} Netzpunkt`);
  await run(`releases add ${b} Netzpunkt --connection ${connection}`);
  const answers = { antworten: [{ anlage: FIRST, defId: choice, text: 'fertig' }] };
  await ask('B', `/v1/connections/${connection}/shared-fields`, answers);
  await run(`fields retire ${a} Alt`);
  await run(`fields retire ${a} Pacht`);
  await run(`fields restore ${a} Pacht`);

  await run(`mailboxes create ${a} Zentrale --users a1`);
  await run(`mailboxes create ${a} Leitwarte --users a2 --categories TECHNIK`);
  await run(`mailboxes create ${a} Ablage`);
  await run(`mailboxes change ${a} Leitwarte --categories TECHNIK,STOERUNG`);
  await run(`mailboxes delete ${a} Ablage`);
  await run(`mailboxes create ${b} Eingang --users b1`);
  const opened = await ask('A', '/v1/threads', {
    ...{ connectionId: connection, body: 'Guten Tag', subject: 'Zähler', category: 'TECHNIK', assets: [FIRST] },
    ...{ actingUserId: reality.id('a1'), addressUserIds: [reality.id('b1'), reality.id('a2')] },
  });
  const [{ id: thread, externalId: message }] = opened.data;
  await ask('B', `/v1/threads/${thread}/messages`, { body: 'Guten Morgen', actingUserId: reality.id('b2') });
  const last = await ask('A', `/v1/threads/${thread}/messages`, { body: 'Versehen' });
  await ask('B', '/v1/threads', { connectionId: connection, body: 'Noch eins' });
  await run(`messages edit ${a} ${message} -`, 'Guten Abend');
  await run(`messages attach ${a} ${message} -`, [{ name: 'Plan.pdf', mediaType: 'application/pdf', bytes: 5 }]);
  await run(`messages delete ${a} ${last.data[0].id}`);
  return { connection, thread, message };
}

/** Asks for all of it, with every filter and for later pages, as users and the operator do. */
export async function lookAtEverything(reality: Reality, { connection, thread }: Arranged): Promise<void> {
  const a = reality.externalId('A');
  for (const words of [
    ...[`fields list ${a}`, `contacts list ${a}`, `connections list ${a}`, `connections show ${a} ${connection}`],
    ...[`connections assets list ${a} ${connection}`, `connections fields list ${a} ${connection}`],
    ...[`releases list ${a}`, `mailboxes list ${a}`, `threads list ${a}`, `threads show ${a} ${thread}`],
    ...[`threads list ${a} --connection ${connection}`, 'contacts rekey'],
  ])
    await reality.command(words.split(' '));
  const user = reality.id('a2');
  for (const path of [
    ...['/v1/custom-fields', `/v1/units/${FIRST}/custom-fields`, '/v1/units?suche=grosse', '/v1/units?suche=gr'],
    ...['/v1/contacts?limit=1', '/v1/contacts?limit=1&kind=FUNCTION', '/v1/contacts?limit=1&suche=e'],
    ...['/v1/connections?limit=1', '/v1/connections?status=REVOKED', `/v1/connections/${connection}`],
    ...[`/v1/connections/${connection}/assets?limit=1`, `/v1/connections/${connection}/shared-fields`],
    ...[`/v1/connections/${connection}/shared-fields?richtung=SHARE&anlage=${FIRST}`],
    ...['/v1/connections/invitations?limit=1', `/v1/connections/${connection}/fields`, '/v1/releases?limit=1'],
    ...['/v1/threads?limit=1', '/v1/threads?category=TECHNIK', `/v1/threads?anlage=${FIRST}`],
    ...[`/v1/threads?limit=1&connectionId=${connection}`, `/v1/threads?actingUserId=${user}`],
    ...[`/v1/threads/${thread}`, `/v1/threads/${thread}/messages?limit=1`],
  ]) {
    const { json } = await reality.ask('A', path);
    const cursor = json.meta.cursor ?? null;
    if (cursor !== null)
      await reality.ask('A', `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`);
  }
}
