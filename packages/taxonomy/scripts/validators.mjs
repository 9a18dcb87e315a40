// Turns the payload schemas into the source of their checks, with ajv's standalone mode. ajv's way of collecting errors
// is replaced on the way: an object per error costs memory without bound on hostile input, and joining the lists of
// shared schemas costs quadratic time. Every rewrite asserts what it found, and what must not remain fails the build.
import Ajv, { _ } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';

const ANNOTATIONS = new Set(['$schema', '$id', '$comment', 'title', 'description', 'x-aep-capture']);
const SHARED = 'shared:';

/** The text of src/generated/validators.ts for these schemas. */
export function validatorsSource(schemas) {
  const shared = new Map();
  // The draft matters for none of the keywords in use; the default class leaves out the bookkeeping of the 2020 one.
  const ajv = new Ajv.default({
    allErrors: true,
    ownProperties: true,
    messages: false,
    // A number beyond the range of doubles is a JSON number all the same.
    strictNumbers: false,
    strictRequired: false,
    allowUnionTypes: true,
    inlineRefs: false,
    code: { source: true, esm: true, lines: true, optimize: 2, formats: _`formats` },
  });
  ajv.addFormat('date-time', () => true);

  const names = {};
  const types = Object.keys(schemas).filter((type) => Object.keys(schemas[type].properties ?? {}).length > 0);
  types.forEach((type, index) => {
    ajv.addSchema({ $id: type, ...bare(schemas[type], shared, ajv) });
    names[`payload${index}`] = type;
  });
  const code = rewrite(standalone.default(ajv, names), (id) => ajv.getSchema(id).schema);

  const rows = types.map((type, index) => `  ['${type}', payload${index}],`).join('\n');
  const text = `// @ts-nocheck
// Made by scripts/generate.mjs from the payload table. Do not edit.
import { isRfc3339 } from '@aepkit/envelope';

import { fail } from '../payload-failure.js';

const formats = { 'date-time': isRfc3339 };
const own = Object.prototype.hasOwnProperty;
const has = (object, name) => object[name] !== undefined && own.call(object, name);
${code}
/** The check of a payload by its type; types without members of their own accept any object and have none. */
export const validators: ReadonlyMap<string, (data: unknown, issues: import('../payload-failure.js').Failures) => void> = /* @__PURE__ */ new Map([
${rows}
]);
`;
  for (const banned of ['require(', 'eval(', 'new Function', 'vErrors', 'instancePath']) {
    if (text.includes(banned)) throw new Error(`generated checks contain ${banned}`);
  }
  return text;
}

/** A schema without what only people and gates read; objects with a title become references, so that they are made once. */
function bare(schema, shared, ajv) {
  if (schema.title !== undefined) {
    const { title, description: _d, 'x-aep-capture': _c, ...rest } = schema;
    const text = JSON.stringify(rest);
    if (!shared.has(title)) {
      shared.set(title, text);
      ajv.addSchema({ $id: SHARED + title, ...bare(rest, shared, ajv) });
    }
    if (shared.get(title) !== text) throw new Error(`two different schemas have the title ${title}`);
    return { $ref: SHARED + title };
  }
  const result = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    if (keyword === 'properties') {
      result.properties = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bare(member, shared, ajv)]));
    } else if (keyword === 'items' || keyword === 'if' || keyword === 'then') {
      result[keyword] = bare(value, shared, ajv);
    } else {
      result[keyword] = value;
    }
  }
  return result;
}

function rewrite(source, schemaOf) {
  let code = source;
  const replace = (pattern, by, atLeast = 1) => {
    let count = 0;
    code = code.replace(pattern, (...match) => {
      count += 1;
      return typeof by === 'string' ? by : by(...match);
    });
    if (count < atLeast) throw new Error(`ajv's output has changed: ${pattern} matched ${count} times`);
  };

  // Constants that hold whole schemas: only the lists of allowed values are ever read from them.
  const constants = new Map();
  replace(/^const (schema\d+) = (\{.*\});\n/gm, (_all, name, json) => {
    constants.set(name, JSON.parse(json));
    return '';
  });
  const valueAt = (path) => path.match(/\w+|\["[^"]*"\]/g).slice(1).reduce((at, key) => at[key.replace(/^\["|"\]$/g, '')], constants.get(/^\w+/.exec(path)[0]));

  replace('"use strict";\n', '');
  replace(/^const func\d+ = Object\.prototype\.hasOwnProperty;\n/gm, '');
  replace(/\bfunc\d+\.call\(/g, 'own.call(');
  replace(/^export const (payload\d+) = (validate\d+);\n/gm, (_all, name, to) => `const ${name} = ${to};\n`);
  replace(/^function (validate\d+)\(data, \{.*\}=\{\}\)\{\n(?:\/\*# sourceURL=".*" \*\/;?\n)?let vErrors = null;\nlet errors = 0;\n/gm, (_all, name) => `function ${name}(data, issues, path = ''){\nlet errors = 0;\n`);
  replace(/^validate\d+\.errors = vErrors;\nreturn errors === 0;\n/gm, '');

  // Errors of the condition of an `if` are counted only, and forgotten again.
  replace(/const (err\d+) = \{\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\nerrors\+\+;/g, 'errors++;');
  replace(/if\(vErrors !== null\)\{\nif\((_errs\d+)\)\{\nvErrors\.length = \1;\n\}\nelse \{\nvErrors = null;\n\}\n\}\n/g, '');
  // What fails behind an `if` is reported by itself; that the condition then has a failing branch adds nothing.
  replace(/if\(!valid\d+\)\{\nconst (err\d+) = \{[^\n]*keyword:"if"[^\n]*\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\nerrors\+\+;\n\}\n/g, '');

  replace(
    /const (err\d+) = \{instancePath(?::([^\n]*?))?,schemaPath:"[^"\n]*",keyword:"(\w+)",params:(\{[^\n]*\})\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\nerrors\+\+;/g,
    (_all, _name, path, keyword, params) => `fail(issues, ${path ?? 'instancePath'}, '${keyword}', ${detail(keyword, params, valueAt)});`,
  );
  replace(
    /if\(!\((validate\d+)\((data[^,\n]*), \{instancePath:([^\n]*?),parentData:[^\n]*\}\)\)\)\{\nvErrors = [^\n]*;\nerrors = vErrors\.length;\n\}/g,
    (_all, name, value, path) => `${name}(${value}, issues, ${path});`,
  );
  replace(/\binstancePath\b/g, 'path');

  // One spelling of "an own member, and not undefined" for thousands.
  replace(/(data\d*)(?:\.\w+|\["[^"\n]*"\]) !== undefined && own\.call\(\1, ("[^"\n]*")\)/g, (_all, object, name) => `has(${object}, ${name})`);
  replace(/\(data\d*(?:\.\w+|\["[^"\n]*"\]) === undefined\) \|\| \(!\(own\.call\((data\d*), ("[^"\n]*")\)\)\)/g, (_all, object, name) => `!has(${object}, ${name})`);

  // The counter is needed only where a condition counts.
  code = code.replace(/^function validate\d+\(data, issues, path = ''\)\{\n[\s\S]*?^\}\n/gm, (body) =>
    body.includes('errors++') ? body : body.replace('let errors = 0;\n', ''),
  );
  if (schemaOf === undefined || /\bschema\d+\b/.test(code)) throw new Error('generated checks read a schema');
  return code;
}

/** What a message needs to know of a failed keyword. */
function detail(keyword, params, valueAt) {
  const literal = (pattern) => {
    const match = pattern.exec(params);
    if (match === null) throw new Error(`unknown parameters of ${keyword}: ${params}`);
    return match[1];
  };
  switch (keyword) {
    case 'type': {
      const list = /type: ?(schema\d+[^\s}]*)/.exec(params);
      return list === null ? literal(/^\{type: ?("[a-z]+")\}$/) : JSON.stringify(valueAt(list[1]).join(' or '));
    }
    case 'required':
      return literal(/^\{missingProperty: ?("[^"]*")\}$/);
    case 'enum':
      return JSON.stringify(valueAt(literal(/^\{allowedValues: ?(schema\d+[^\s}]*)\}$/)).join(', '));
    case 'minimum':
    case 'maximum':
      return JSON.stringify(literal(/^\{comparison: ?"([<>]=)"/) + ' ' + literal(/limit: ?(-?\d+)\}$/));
    case 'format':
      return literal(/^\{format: ?("[a-z-]+")\}$/);
    default:
      throw new Error(`a keyword without a code: ${keyword}`);
  }
}
