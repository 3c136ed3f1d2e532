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

const NAMES: Readonly<Record<Role, readonly [german: string, english: string]>> = {
  OPERATOR: ['Betreiber', 'Operator'],
  OWNER: ['Eigentümer', 'Owner'],
  SERVICE_CONTRACT: ['Wartung und Service', 'Maintenance and service'],
  DIRECT_MARKETING: ['Direktvermarkter', 'Direct marketer'],
  ASSET_MANAGEMENT: ['Betriebsführung', 'Asset management'],
  PROJECT_DEVELOPMENT: ['Projektentwickler', 'Project developer'],
  GRID_OPERATOR: ['Netzbetreiber', 'Grid operator'],
  LESSOR: ['Verpächter', 'Lessor'],
  INVESTOR: ['Investor', 'Investor'],
  OTHER: ['Sonstige', 'Other'],
};

const isRole = (value: string): value is Role => ROLES.some((role) => role === value);

/** A role that these pages do not know keeps the name that the interface gives it. */
export const roleName = (role: string): string => (isRole(role) ? say(...NAMES[role]) : role);

/** The role of which this is the name, in either language or as the interface has it; null = of none. */
export const roleOf = (text: string): Role | null => {
  const wanted = text.trim().toLowerCase();
  return ROLES.find((role) => [role, ...NAMES[role]].some((name) => name.toLowerCase() === wanted)) ?? null;
};
