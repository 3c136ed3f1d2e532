import { parser } from '@prometheus-io/lezer-promql';
import type { MetricsKnown } from './metrics.ts';

/**
 * Reads expressions with the grammar of Prometheus and follows the labels through them: each metric and label that is
 * named has to exist where it is named. Prometheus itself answers most of such mistakes with nothing, which a board or an
 * alert cannot tell from a healthy service.
 */

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** The labels of what an expression gives; null = a number, which has none. */
type Labels = ReadonlySet<string> | null;

/** Functions over a counter, or a part of a histogram that counts. */
const OVER_COUNTERS = new Set(['rate', 'irate', 'increase', 'resets']);

/** Functions over a value that also falls. */
const OVER_GAUGES = new Set(['delta', 'idelta', 'deriv', 'predict_linear']);

/** Functions that give a number, or a sample without labels. */
const WITHOUT_LABELS = new Set(['time', 'scalar', 'pi', 'vector', 'absent', 'absent_over_time']);

/** Aggregations that choose among samples and leave their labels as they are. */
const CHOOSING = new Set(['topk', 'bottomk', 'limitk']);

/** Operators between sets of samples, whose right side only says which samples of the left one stay, or what is added. */
const SETS = new Set(['And', 'Or', 'Unless']);

/**
 * Checks an expression.
 * @returns the labels of the samples that it gives, the target's among them
 * @throws Error that says what is wrong
 */
export function checkExpression(expression: string, known: MetricsKnown): ReadonlySet<string> {
  const tree = parser.parse(expression);
  tree.iterate({
    enter({ type, from }) {
      if (type.isError) throw new Error(`${expression} is no PromQL at ${from}`);
    },
  });
  const root = tree.topNode.firstChild;
  if (root === null) throw new Error('The expression is empty');
  return new Checker(expression, known).labelsOf(root) ?? new Set();
}

class Checker {
  readonly #text: string;
  readonly #known: MetricsKnown;

  constructor(text: string, known: MetricsKnown) {
    this.#text = text;
    this.#known = known;
  }

  labelsOf(node: SyntaxNode): Labels {
    switch (node.name) {
      case 'NumberDurationLiteral':
      case 'StringLiteral':
        return null;
      case 'VectorSelector':
        return this.#selector(node);
      case 'AggregateExpr':
        return this.#aggregation(node);
      case 'FunctionCall':
        return this.#call(node);
      case 'BinaryExpr':
        return this.#binary(node);
      case 'ParenExpr':
      case 'UnaryExpr':
      case 'MatrixSelector':
      case 'SubqueryExpr':
      case 'OffsetExpr':
        return this.labelsOf(this.#operands(node)[0]!);
      default:
        throw new Error(`${this.#textOf(node)}: ${node.name} is not known to this test`);
    }
  }

  #selector(node: SyntaxNode): Labels {
    const metric = this.#textOf(node.getChild('Identifier')!);
    const labels = this.#known.get(metric)?.labels;
    if (labels === undefined) throw new Error(`There is no metric ${metric}`);
    for (const matcher of node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []) {
      this.#mustHave(labels, this.#textOf(matcher.getChild('LabelName')!), metric);
    }
    return labels;
  }

  #aggregation(node: SyntaxNode): Labels {
    const operator = this.#textOf(node.getChild('AggregateOp')!);
    const operand = this.#operands(node.getChild('FunctionCallBody')!).at(-1)!;
    const labels = this.labelsOf(operand) ?? new Set();
    const modifier = node.getChild('AggregateModifier');
    if (modifier === null) return CHOOSING.has(operator) ? labels : new Set();
    const named = this.#namesIn(modifier.getChild('GroupingLabels'));
    for (const name of named) this.#mustHave(labels, name, this.#textOf(operand));
    if (CHOOSING.has(operator)) return labels;
    return new Set(modifier.getChild('By') === null ? [...labels].filter((name) => !named.includes(name)) : named);
  }

  #call(node: SyntaxNode): Labels {
    const name = this.#textOf(node.getChild('FunctionIdentifier')!);
    const operands = this.#operands(node.getChild('FunctionCallBody')!);
    const labels = operands.map((operand) => this.labelsOf(operand));
    if (OVER_COUNTERS.has(name)) this.#mustBe('counter', name, operands[0]!);
    if (OVER_GAUGES.has(name)) this.#mustBe('gauge', name, operands[0]!);
    if (WITHOUT_LABELS.has(name)) return name === 'time' || name === 'scalar' || name === 'pi' ? null : new Set();
    if (name === 'histogram_quantile') {
      if (!this.#selectorsIn(operands[1]!).every((metric) => metric.endsWith('_bucket'))) {
        throw new Error(`${this.#textOf(node)} is not over the buckets of a histogram`);
      }
      this.#mustHave(labels[1] ?? new Set(), 'le', this.#textOf(operands[1]!));
      return new Set([...(labels[1] ?? [])].filter((label) => label !== 'le'));
    }
    return labels.find((one) => one !== null) ?? null;
  }

  #binary(node: SyntaxNode): Labels {
    const [left, right] = this.#operands(node) as [SyntaxNode, SyntaxNode];
    const [ofLeft, ofRight] = [this.labelsOf(left), this.labelsOf(right)];
    const operator = node.firstChild!.nextSibling!.name;
    if (ofLeft === null || ofRight === null) return ofLeft ?? ofRight;
    const modifier = node.getChild('MatchingModifierClause');
    const [matching, included] = modifier?.getChildren('GroupingLabels') ?? [];
    const on = modifier?.getChild('On') == null ? null : this.#namesIn(matching ?? null);
    for (const name of on ?? []) {
      this.#mustHave(ofLeft, name, this.#textOf(left));
      this.#mustHave(ofRight, name, this.#textOf(right));
    }
    if (modifier?.getChild('Ignoring') != null) throw new Error('ignoring(…) is not known to this test');
    if (on === null && operator !== 'Or' && !sameLabels(ofLeft, ofRight)) {
      throw new Error(`${this.#textOf(node)}: the two sides have different labels, so that no sample meets another`);
    }
    if (SETS.has(operator)) return ofLeft;
    if (modifier?.getChild('GroupLeft') != null) {
      const taken = this.#namesIn(included ?? null);
      for (const name of taken) this.#mustHave(ofRight, name, this.#textOf(right));
      return new Set([...ofLeft, ...taken]);
    }
    return on === null ? ofLeft : new Set(on);
  }

  /** @throws Error unless all metrics below the node are of that type */
  #mustBe(type: 'counter' | 'gauge', name: string, node: SyntaxNode): void {
    for (const metric of this.#selectorsIn(node)) {
      const is = this.#known.get(metric)?.type;
      if (is !== type) throw new Error(`${name}() is for a ${type}, and ${metric} is a ${is}`);
    }
  }

  #mustHave(labels: ReadonlySet<string>, name: string, where: string): void {
    if (!labels.has(name)) throw new Error(`${where} has no label ${name}, only ${[...labels].sort().join(', ')}`);
  }

  #selectorsIn(node: SyntaxNode): string[] {
    const metrics: string[] = [];
    node.cursor().iterate((inner) => {
      const metric = inner.name === 'VectorSelector' ? inner.node.getChild('Identifier') : null;
      if (metric !== null) metrics.push(this.#textOf(metric));
    });
    return metrics;
  }

  #namesIn(list: SyntaxNode | null): string[] {
    return list?.getChildren('LabelName').map((name) => this.#textOf(name)) ?? [];
  }

  /** The expressions directly below a node. */
  #operands(node: SyntaxNode): SyntaxNode[] {
    const found: SyntaxNode[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (/(Expr|Selector|FunctionCall|Literal)$/.test(child.name) && child.name !== 'DurationExpr') found.push(child);
    }
    return found.filter(({ name }) => name !== 'OffsetDurationExpr');
  }

  #textOf({ from, to }: SyntaxNode): string {
    return this.#text.slice(from, to);
  }
}

const sameLabels = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((label) => other.has(label));
