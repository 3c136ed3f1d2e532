import { say } from '../format/language.ts';

/** Roles of the organisation to a unit, in the order in which they are offered. */
export const ROLES = [
  'OPERATOR',
  'OWNER',
  'SERVICE_CONTRACT',
  'DIRECT_MARKETING',
  'ASSET_MANAGEMENT',
  'PROJECT_DEVELOPMENT',
  'GRID_OPERATOR',
  'LESSOR',
  'INVESTOR',
  'OTHER',
] as const;

export type Role = (typeof ROLES)[number];

const NAMES: Readonly<Record<Role, string>> = {
  OPERATOR: say('Betreiber', 'Operator'),
  OWNER: say('Eigentümer', 'Owner'),
  SERVICE_CONTRACT: say('Wartung und Service', 'Maintenance and service'),
  DIRECT_MARKETING: say('Direktvermarkter', 'Direct marketer'),
  ASSET_MANAGEMENT: say('Betriebsführung', 'Asset management'),
  PROJECT_DEVELOPMENT: say('Projektentwickler', 'Project developer'),
  GRID_OPERATOR: say('Netzbetreiber', 'Grid operator'),
  LESSOR: say('Verpächter', 'Lessor'),
  INVESTOR: 'Investor',
  OTHER: say('Sonstige', 'Other'),
};

const isRole = (value: string): value is Role => ROLES.some((role) => role === value);

/** A role that these pages do not know keeps the name that the interface gives it. */
export const roleName = (role: string): string => (isRole(role) ? NAMES[role] : role);

/** The role of which this is the name, in German or as the interface has it; null = of none. */
export const roleOf = (text: string): Role | null => {
  const wanted = text.trim().toLowerCase();
  return ROLES.find((role) => role.toLowerCase() === wanted || NAMES[role].toLowerCase() === wanted) ?? null;
};
