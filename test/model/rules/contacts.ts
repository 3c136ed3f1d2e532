import { rule } from '../world/rule.ts';
import type { Contact, Handle, World } from '../world/world.ts';

/** The contact directory, as the operator keeps it. */

const PEOPLE: readonly Pick<Contact, 'kind' | 'name' | 'email' | 'telephone' | 'company'>[] = [
  { kind: 'PERSON', name: 'Zoë Öz', email: 'zoe@example.org', telephone: null, company: 'Müller & Söhne' },
  { kind: 'PERSON', name: 'Änne Ohm', email: null, telephone: '+49 30 1', company: null },
  { kind: 'PERSON', name: 'anna Ohm', email: null, telephone: null, company: 'Windpark Mueller' },
  { kind: 'FUNCTION', name: 'Leitwarte', email: 'warte@example.org', telephone: '112', company: null },
  { kind: 'FUNCTION', name: 'Änne Ohm', email: null, telephone: null, company: null },
];

type Draft = (typeof PEOPLE)[number] & Pick<Contact, 'status'>;

const createContact = rule<{ readonly owner: Handle; readonly draft: Draft }>({
  name: 'create a contact',
  weight: 2,
  *deeds({ organisations }) {
    for (const { handle: owner } of organisations)
      for (const person of PEOPLE)
        for (const status of ['CONFIRMED', 'SUGGESTED'] as const) yield { owner, draft: { ...person, status } };
  },
  fits: () => true,
  change(world, { owner, draft }) {
    world.contacts.push({ handle: world.next('C'), owner, ...draft, madeAt: world.now, changedAt: world.now });
    return 'done';
  },
  async perform(reality, { owner, draft }, world) {
    const { kind: art, name, email, telephone: telefon, company: firma, status } = draft;
    const document = { art, name, email, telefon, firma, status };
    const made = await reality.command(['contacts', 'create', reality.externalId(owner), '-'], document);
    if (made === null) return 'refused';
    reality.bind(world.contacts.at(-1)!.handle, made.data.id);
    return 'done';
  },
  tell: ({ owner, draft }) => `${owner} makes the contact ${draft.name}`,
});

interface ContactDeed {
  readonly contact: Contact;
}

const someContact = function* ({ contacts }: World): Generator<ContactDeed> {
  for (const contact of contacts) yield { contact };
};

const changeContact = rule<ContactDeed & { readonly changes: Partial<Draft> }>({
  name: 'change a contact',
  weight: 2,
  *deeds({ contacts }) {
    const CHANGES: Partial<Draft>[] = [
      { name: 'Berta' },
      { email: null },
      { email: 'b@example.org' },
      { company: 'Öl AG' },
    ];
    for (const contact of contacts) for (const changes of CHANGES) yield { contact, changes };
  },
  fits: () => true,
  change(world, { contact, changes }) {
    const moved = Object.entries(changes).some(([member, value]) => contact[member as keyof Contact] !== value);
    Object.assign(contact, changes, moved ? { changedAt: world.now } : {});
    return 'done';
  },
  perform(reality, { contact, changes: { company, ...others } }) {
    const document = company === undefined ? others : { ...others, firma: company };
    return reality.order(
      ['contacts', 'change', reality.externalId(contact.owner), reality.id(contact.handle), '-'],
      document,
    );
  },
  tell: ({ contact, changes }) => `${contact.owner} changes ${contact.handle} to ${JSON.stringify(changes)}`,
});

const confirmContact = rule<ContactDeed>({
  name: 'confirm a contact',
  deeds: someContact,
  // Confirming once more changes nothing, and is no mistake.
  fits: () => true,
  change(world, { contact }) {
    if (contact.status === 'SUGGESTED') Object.assign(contact, { status: 'CONFIRMED', changedAt: world.now });
    return 'done';
  },
  perform: (reality, { contact }) =>
    reality.order(['contacts', 'confirm', reality.externalId(contact.owner), reality.id(contact.handle)]),
  tell: ({ contact }) => `${contact.owner} confirms ${contact.handle}`,
});

const deleteContact = rule<ContactDeed>({
  name: 'delete a contact',
  deeds: someContact,
  fits: () => true,
  change(world, { contact }) {
    world.contacts.splice(world.contacts.indexOf(contact), 1);
    return 'done';
  },
  perform: (reality, { contact }) =>
    reality.order(['contacts', 'delete', reality.externalId(contact.owner), reality.id(contact.handle)]),
  tell: ({ contact }) => `${contact.owner} deletes ${contact.handle}`,
});

export const CONTACT_RULES = [createContact, changeContact, confirmContact, deleteContact];
