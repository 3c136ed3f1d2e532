/** Nodes by name, and the nodes that each of them points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Sets of two or more nodes that all reach each other, by Tarjan's algorithm. */
function strongComponents(graph: Graph): Set<string>[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const open = new Set<string>();
  const components: Set<string>[] = [];
  const visit = (node: string): number => {
    const own = index.size;
    let lowest = own;
    index.set(node, own);
    stack.push(node);
    open.add(node);
    for (const next of graph.get(node) ?? []) {
      const seen = index.get(next);
      if (seen === undefined) lowest = Math.min(lowest, visit(next));
      else if (open.has(next)) lowest = Math.min(lowest, low.get(next) ?? seen);
    }
    low.set(node, lowest);
    if (lowest === own) {
      const component = new Set(stack.splice(stack.lastIndexOf(node)));
      for (const member of component) open.delete(member);
      if (component.size > 1) components.push(component);
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return components;
}

/** The shortest path from a node back to itself inside its component. The node stands at both ends. */
function pathAround(graph: Graph, component: ReadonlySet<string>, start: string): string[] {
  const paths: string[][] = [[start]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [...path, start];
      if (!component.has(next) || seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  throw new Error(`No path leads back to ${start}, although its component has several nodes.`);
}

/** The shortest cycle through each node that lies on one, each given once, as `a → b → a`. */
export function cyclesOf(graph: Graph): string[] {
  const cycles = strongComponents(graph).flatMap((component) =>
    [...component].sort().map((node) => pathAround(graph, component, node)),
  );
  const distinct = new Map<string, string>();
  for (const cycle of cycles) {
    const key = cycle.slice(1).sort().join('\n');
    if (!distinct.has(key)) distinct.set(key, cycle.join(' → '));
  }
  return [...distinct.values()].sort();
}
