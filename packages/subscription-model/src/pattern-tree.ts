interface Node<V> {
  readonly children: Map<string, Node<V>>;
  /** Of the pattern that ends here. */
  exact: V | undefined;
  /** Of the pattern that goes on with a final `.*`. */
  open: V | undefined;
}

/** Values under type patterns (§2.1), found by walking an event type once; a `*` segment is a child like others. */
export class PatternTree<V> {
  readonly #root: Node<V> = emptyNode();
  #size = 0;

  /** How many patterns hold a value. */
  get size(): number {
    return this.#size;
  }

  /** The value of a pattern. */
  get(segments: readonly string[], open: boolean): V | undefined {
    let node: Node<V> | undefined = this.#root;
    for (const segment of segments) node = node?.children.get(segment);
    return open ? node?.open : node?.exact;
  }

  /** The value of a pattern; makes it where there is none. */
  getOrAdd(segments: readonly string[], open: boolean, make: () => V): V {
    let node = this.#root;
    for (const segment of segments) {
      let child = node.children.get(segment);
      if (child === undefined) node.children.set(segment, (child = emptyNode()));
      node = child;
    }
    const known = open ? node.open : node.exact;
    if (known !== undefined) return known;
    const made = make();
    if (open) node.open = made;
    else node.exact = made;
    this.#size += 1;
    return made;
  }

  /** Removes a pattern and the nodes that lead nowhere without it. */
  delete(segments: readonly string[], open: boolean): void {
    const path: Node<V>[] = [this.#root];
    for (const segment of segments) {
      const child = path.at(-1)?.children.get(segment);
      if (child === undefined) return;
      path.push(child);
    }
    const last = path.at(-1);
    if (last === undefined || (open ? last.open : last.exact) === undefined) return;
    if (open) last.open = undefined;
    else last.exact = undefined;
    this.#size -= 1;
    for (let depth = segments.length; depth > 0; depth -= 1) {
      const node = path[depth];
      if (node === undefined || node.children.size > 0 || node.exact !== undefined || node.open !== undefined) return;
      path[depth - 1]?.children.delete(segments[depth - 1] ?? '');
    }
  }

  /**
   * Gives the value of every pattern that selects a type. Nodes of one depth are walked together, each once, so that a type never
   * costs more than the patterns there are.
   */
  visit(type: string, give: (value: V) => void): void {
    if (this.#size === 0) return;
    let nodes: Node<V>[] = [this.#root];
    for (let from = 0; nodes.length > 0 && from <= type.length; ) {
      const dot = type.indexOf('.', from);
      const end = dot < 0 ? type.length : dot;
      const segment = type.slice(from, end);
      const next: Node<V>[] = [];
      for (const node of nodes) {
        // One segment at least is left: this one (S-O1).
        if (node.open !== undefined) give(node.open);
        const child = node.children.get(segment);
        if (child !== undefined) next.push(child);
        // No type has a segment `*`; a hand-made one must not be given twice.
        const any = segment === '*' ? undefined : node.children.get('*');
        if (any !== undefined) next.push(any);
      }
      nodes = next;
      from = end + 1;
    }
    if (type !== '') for (const node of nodes) if (node.exact !== undefined) give(node.exact);
  }
}

function emptyNode<V>(): Node<V> {
  return { children: new Map(), exact: undefined, open: undefined };
}
