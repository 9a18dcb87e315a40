import { digest, type JsonObject, type JsonValue } from '@aepkit/envelope';

/** Members whose original goes into a digest (AEP-0003 §9.3), by type. */
const DIGESTS: ReadonlyMap<string, readonly [content: string, digest: string]> = new Map([
  ['tool.requested', ['args', 'args_digest']],
  ['tool.completed', ['result', 'result_digest']],
  ['resource.retrieval.requested', ['query', 'query_digest']],
  ['resource.retrieval.reranked', ['query', 'query_digest']],
]);

/** Members that exist verbatim for `full` and redacted for `redacted` (AEP-0002 §6), by the name of the list they stand in. */
const TWINS: readonly (readonly [list: string | undefined, content: string, redacted: string])[] = [
  [undefined, 'args', 'args_redacted'],
  [undefined, 'result', 'result_redacted'],
  ['documents', 'content', 'content_redacted'],
  ['input_documents', 'content', 'content_redacted'],
  ['output_documents', 'content', 'content_redacted'],
  ['citations', 'cited_text', 'cited_text_redacted'],
];
const TWIN_TYPES: ReadonlySet<string> = new Set([
  'tool.requested',
  'tool.completed',
  'resource.retrieval.returned',
  'resource.retrieval.reranked',
  'resource.citation.recorded',
]);

/** The payload with the digest of its original content. One that the caller worked out stays only where there is no content. */
export function withDigest(type: string, data: JsonObject): JsonObject {
  const names = DIGESTS.get(type);
  if (names === undefined || !Object.hasOwn(data, names[0])) return data;
  return { ...data, [names[1]]: digest(data[names[0]] as JsonValue) };
}

/** The payload with a copy of each verbatim member under the name it has at `redacted`, for the pipeline to go over. */
export function withTwins(type: string, data: JsonObject): JsonObject {
  if (!TWIN_TYPES.has(type)) return data;
  let result = data;
  for (const [list, content, redacted] of TWINS) {
    if (list === undefined) result = withTwin(result, content, redacted);
    else if (Object.hasOwn(result, list) && Array.isArray(result[list])) {
      const items = result[list] as readonly JsonValue[];
      result = { ...result, [list]: items.map((item) => (isObject(item) ? withTwin(item, content, redacted) : item)) };
    }
  }
  return result;
}

function withTwin(data: JsonObject, content: string, redacted: string): JsonObject {
  if (!Object.hasOwn(data, content) || Object.hasOwn(data, redacted)) return data;
  return { ...data, [redacted]: data[content] as JsonValue };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
