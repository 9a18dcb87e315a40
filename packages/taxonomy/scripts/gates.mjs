// The capture annotations of the payload schemas, reduced to what a gate has to look at.

const RANK = { metadata: 1, redacted: 2, full: 3 };

/** The text of src/generated/gates.ts. */
export function gatesSource(schemas) {
  const rows = Object.entries(schemas)
    .filter(([, schema]) => Object.keys(schema.properties ?? {}).length > 0)
    .map(([type, schema]) => `  ['${type}', ${spell(members(schema, type))}],`);
  return `// Made by scripts/generate.mjs from the payload table. Do not edit.
import type { GateTree } from '../gate-tree.js';

/** What is gated above \`metadata\`, or degraded below \`redacted\`, in the payload of every type that has annotations. */
export const gates: ReadonlyMap<string, GateTree> = /* @__PURE__ */ new Map<string, GateTree>([
${rows.join('\n')}
]);
`;
}

function members(schema, path) {
  const tree = [];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const node = gateOf(member, `${path}.${name}`);
    if (node !== undefined) tree.push([name, node]);
  }
  return tree;
}

function gateOf(schema, path) {
  const level = RANK[schema['x-aep-capture'] ?? 'metadata'];
  const degraded = /^\[metadata\*\] (\w+)$/.exec(schema.$comment ?? '')?.[1];
  const below = schema.items === undefined ? members(schema, path) : members(schema.items, path);
  const hasBelow = below.length > 0;
  if (level > RANK.metadata) {
    // A gate cuts such a member whole or keeps it whole.
    if (hasBelow) throw new Error(`${path}: gated members inside a gated member`);
    return level;
  }
  if (degraded !== undefined) return degraded;
  if (!hasBelow) return undefined;
  return schema.items === undefined ? { members: below } : { elements: below };
}

function spell(tree) {
  return `[${tree.map(([name, node]) => `['${name}', ${spellNode(node)}]`).join(', ')}]`;
}

function spellNode(node) {
  if (typeof node === 'number') return String(node);
  if (typeof node === 'string') return `'${node}'`;
  return node.members === undefined ? `{ elements: ${spell(node.elements)} }` : `{ members: ${spell(node.members)} }`;
}
