/** A JSON value as `JSON.parse` makes it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Names are data: `__proto__` is one like any other, and only own properties count. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A JSON value whose integers beyond ±(2^53−1) are exact `bigint`s; what `parseJson` gives with `bigints: true`. */
export type ExactJsonValue = string | number | bigint | boolean | null | readonly ExactJsonValue[] | ExactJsonObject;

/** A JSON object of {@link ExactJsonValue}s. */
export interface ExactJsonObject {
  readonly [name: string]: ExactJsonValue;
}
