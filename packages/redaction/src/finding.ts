/** Where something was taken out, and by which rule; never what it was. */
export interface Finding {
  /** Id of the rule, see `redactionRules`. */
  readonly rule: string;
  /** First character, in UTF-16 units of the text that was given (of the string at `path` for a value). */
  readonly start: number;
  /** One past the last character. */
  readonly end: number;
  /** Place in a JSON value, as in `$.args.env[2]`; of a member name, the place of the object. */
  readonly path?: string;
}
