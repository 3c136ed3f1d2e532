import packageJson from '../package.json' with { type: 'json' };

/** Release of this code, as package.json has it. */
export const RELEASE: string = packageJson.version;
