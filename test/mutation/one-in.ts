import { createHash } from 'node:crypto';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Leaves out all but one of so many places of mutants, always the same ones while the code stays as it is. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'one-in', {
    shouldIgnore(path) {
      const { node, key } = path as unknown as AstPath;
      const oneIn = Number(process.env.MUTATION_ONE_IN ?? 1);
      if (oneIn === 1 || !STATEMENTS.test(node.type)) return undefined;
      const place = `${node.type} ${key} ${JSON.stringify(node.loc?.start)}`;
      const rank = createHash('sha256').update(place).digest().readUInt32BE();
      return rank % oneIn === 0 ? undefined : 'not drawn';
    },
  }),
];

/** A place is left out with all that is inside it, so only small ones are drawn. */
const STATEMENTS = /^(ExpressionStatement|ReturnStatement|VariableDeclarator|IfStatement|ThrowStatement)$/;

interface AstPath {
  readonly node: { readonly type: string; readonly loc?: { readonly start: object } };
  readonly key: string | number;
}
