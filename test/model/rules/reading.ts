import type { Answer } from '../world/answer.ts';
import * as answers from '../world/answers.ts';
import type { Reality } from '../world/reality.ts';
import { type Outcome, rule } from '../world/rule.ts';
import { type Connection, type Handle, hasWords, isShown, isSide, type Thread, type World } from '../world/world.ts';
import { UNITS } from './fields.ts';

/** Questions with a choice: filters, searches, another's ids, and lists that are read on while they change. */

interface Question {
  readonly about: string;
  answer(world: World, reality: Reality): Answer;
}

function* questions(world: World): Generator<Question> {
  for (const { handle } of world.organisations) {
    for (const kind of ['PERSON', 'FUNCTION'] as const)
      yield { about: `contacts of ${handle}, ${kind}`, answer: (w, r) => answers.contacts(w, r, handle, { kind }) };
    for (const suche of ['ohm', 'MULLER', 'oz sohne', 'ann ohm', 'nie'])
      yield {
        about: `contacts of ${handle} with ${suche}`,
        answer: (w, r) => answers.contacts(w, r, handle, { suche }),
      };
    for (const status of ['PENDING', 'ACCEPTED', 'DECLINED', 'REVOKED'])
      yield {
        about: `${status} connections of ${handle}`,
        answer: (w, r) => answers.connections(w, r, handle, status),
      };
    for (const connection of world.connectionsOf(handle)) yield* aboutConnection(handle, connection);
    for (const category of ['TECHNIK', 'VERTRAG', 'STOERUNG'])
      yield {
        about: `${category} threads of ${handle}`,
        answer: (w, r) => answers.threads(w, r, handle, { category }),
      };
    for (const anlage of UNITS)
      yield { about: `threads of ${handle} on ${anlage}`, answer: (w, r) => answers.threads(w, r, handle, { anlage }) };
  }
  for (const user of world.users)
    yield {
      about: `threads that ${user.handle} sees`,
      answer: (w, r) => answers.threads(w, r, user.organisation, { user }),
    };
}

function* aboutConnection(handle: Handle, connection: Connection): Generator<Question> {
  for (const richtung of ['SHARE', 'REQUEST'])
    yield {
      about: `${richtung} fields on ${connection.handle} for ${handle}`,
      answer: (w, r) => answers.sharedFields(w, r, handle, connection, { richtung }),
    };
  for (const anlage of UNITS)
    yield {
      about: `fields of ${anlage} on ${connection.handle} for ${handle}`,
      answer: (w, r) => answers.sharedFields(w, r, handle, connection, { anlage }),
    };
  yield {
    about: `threads of ${connection.handle} for ${handle}`,
    answer: (w, r) => answers.threads(w, r, handle, { connection }),
  };
}

/** A question is asked at once with all others after each step, so the step itself only chooses it. */
const ask = rule<Question>({
  name: 'ask',
  weight: 6,
  deeds: questions,
  fits: () => true,
  change: () => 'done',
  async perform(reality, question, world) {
    await reality.expectAnswer(question.answer(world, reality));
    return 'done';
  },
  tell: ({ about }) => `somebody asks for the ${about}`,
});

interface Stranger {
  readonly organisation: Handle;
  readonly connection: Connection;
  readonly thread: Thread | null;
}

const askForForeign = rule<Stranger>({
  name: 'ask for what is not theirs',
  weight: 2,
  *deeds({ organisations, connections, threads }) {
    for (const { handle: organisation } of organisations)
      for (const connection of connections) {
        if (isSide(connection, organisation)) continue;
        yield { organisation, connection, thread: null };
        for (const thread of threads)
          if (thread.connection === connection.handle) yield { organisation, connection, thread };
      }
  },
  fits: () => true,
  change: () => ({ statuses: [404, 404, 404] }),
  async perform(reality, { organisation, connection, thread }) {
    const path = `/v1/connections/${reality.id(connection.handle)}`;
    const paths =
      thread === null
        ? [path, `${path}/assets`, `${path}/shared-fields`]
        : ['', '/messages', '/messages?limit=1'].map((rest) => `/v1/threads/${reality.id(thread.handle)}${rest}`);
    const seen = await Promise.all(paths.map((each) => reality.ask(organisation, each)));
    return { statuses: seen.map(({ status }) => status) };
  },
  tell: ({ organisation, connection, thread }) =>
    `${organisation} asks for ${(thread ?? connection).handle}, which is foreign`,
});

/** Finds units by own texts: those of living fields, whoever wrote them. */
const search = rule<{ readonly organisation: Handle; readonly word: string }>({
  name: 'search for units',
  weight: 3,
  *deeds({ organisations }) {
    for (const { handle: organisation } of organisations)
      for (const word of ['grosse', 'geklart', 'EXAMPLE.ORG']) yield { organisation, word };
  },
  fits: () => true,
  change(world, { organisation, word }) {
    const holding = world.entries.filter((entry) => {
      const field = world.field(entry.field);
      const texts = entry.slots.flatMap(({ text }) => text ?? []);
      return field.owner === organisation && isShown(field) && hasWords(texts, word);
    });
    return { units: [...new Set(holding.map(({ unit }) => unit))].sort() };
  },
  async perform(reality, { organisation, word }): Promise<Outcome> {
    const { json } = await reality.ask(organisation, `/v1/units?fields=mastrNummer&suche=${encodeURIComponent(word)}`);
    return { units: json.data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer) };
  },
  tell: ({ organisation, word }) => `${organisation} searches for ${word}`,
});

interface Reader {
  readonly organisation: Handle;
  readonly thread: Thread;
  readonly limit: number;
}

/** Reads on in a thread with the cursor that was kept, however long ago: every message comes once. */
const readOn = rule<Reader>({
  name: 'read on in a thread',
  weight: 4,
  *deeds(world) {
    for (const { handle: organisation } of world.organisations)
      for (const thread of world.threadsOf(organisation))
        for (const limit of [1, 2]) yield { organisation, thread, limit };
  },
  fits: () => true,
  change(world, { organisation, thread, limit }) {
    const reader = `${organisation} ${thread.handle}`;
    const from = world.read.get(reader) ?? 0;
    const page = thread.messages.slice(from, from + limit);
    world.read.set(reader, from + page.length);
    return { messages: page.map(({ handle }) => handle), hasMore: from + limit < thread.messages.length };
  },
  async perform(reality, { organisation, thread, limit }): Promise<Outcome> {
    const reader = `${organisation} ${thread.handle}`;
    const cursor = reality.cursors.get(reader);
    const path = `/v1/threads/${reality.id(thread.handle)}/messages?limit=${limit}`;
    const { json } = await reality.ask(organisation, cursor === undefined ? path : `${path}&cursor=${cursor}`);
    reality.cursors.set(reader, json.meta.cursor);
    const handles = new Map(thread.messages.map(({ handle }) => [reality.id(handle), handle]));
    return { messages: json.data.map(({ id }: { id: string }) => handles.get(id) ?? id), hasMore: json.meta.hasMore };
  },
  tell: ({ organisation, thread, limit }) => `${organisation} reads on in ${thread.handle}, at most ${limit}`,
});

export const READING_RULES = [ask, askForForeign, search, readOn];
