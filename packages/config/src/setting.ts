/** What every setting says of itself. */
export interface SettingBase {
  /** One sentence for people; ends in a full stop. */
  readonly help: string;
  /** Name of the environment variable; without one the environment does not set it. */
  readonly env?: string;
  /** Whether there is a command line flag. Default: yes. A secret has none: command lines are visible to other users. */
  readonly flag?: boolean;
  /** Shown in the reference page in place of the default, for defaults that depend on the machine. */
  readonly defaultText?: string;
}

/** A whole number within bounds. */
export interface IntegerSetting extends SettingBase {
  readonly type: 'integer';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Unit for people: `bytes`, `ms`. */
  readonly unit?: string;
  /** Whether `off` is a value too; it resolves to `Infinity`. */
  readonly off?: boolean;
}

/** A text, possibly absent. */
export interface StringSetting extends SettingBase {
  readonly type: 'string';
  readonly default: string | undefined;
  /** Never shown by {@link describeSettings}. */
  readonly secret?: boolean;
}

/** A switch. */
export interface BooleanSetting extends SettingBase {
  readonly type: 'boolean';
  readonly default: boolean;
}

/** One word of a list. */
export interface ChoiceSetting<T extends string = string> extends SettingBase {
  readonly type: 'choice';
  readonly values: readonly T[];
  readonly default: T;
}

/** Several texts; commas separate them in the environment and on the command line. */
export interface ListSetting extends SettingBase {
  readonly type: 'list';
  readonly default: readonly string[];
}

/** Any setting. */
export type Setting = IntegerSetting | StringSetting | BooleanSetting | ChoiceSetting | ListSetting;

/** A program's settings by key; keys are kebab-case, the same in the file and as flags. */
export type Settings = Readonly<Record<string, Setting>>;

/** The TypeScript type of one setting's value. */
export type ValueOf<S extends Setting> = S extends IntegerSetting
  ? number
  : S extends ChoiceSetting<infer T>
    ? T
    : S extends BooleanSetting
      ? boolean
      : S extends ListSetting
        ? readonly string[]
        : S extends StringSetting
          ? S['default'] extends string
            ? string
            : string | undefined
          : never;

/** The values of all settings. */
export type Values<T extends Settings> = { readonly [K in keyof T]: ValueOf<T[K]> };
