import { readFileSync } from 'node:fs';

/**
 * The scripts of package.json load this first: a Node that is too old for TypeScript ends in a sentence that says which one is
 * needed, and not in a stack trace of its own. So this is JavaScript that old versions read, too.
 */

const majorOf = (version) => Number(/[0-9]+/.exec(version)[0]);

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = majorOf(dependencies.node);
if (majorOf(process.versions.node) < needed) {
  process.stderr.write(
    `This is Node ${process.versions.node}, and the sources are TypeScript, which needs Node ${needed} or newer. ` +
      '`npm ci` installs it as the package node, by a script of that package: where npm may run no scripts (ignore-scripts), ' +
      `it is missing. Scripts such as \`npm start\` then use it, and so does \`npx --no-install node api/main.ts\`.\n`,
  );
  process.exit(2);
}
