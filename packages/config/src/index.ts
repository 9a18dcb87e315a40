export { ConfigError } from './errors.js';
export { describeSettings, flagUsage, referencePage } from './reference.js';
export { resolveSettings } from './resolve.js';

export type { ConfigErrorCode, ConfigOrigin } from './errors.js';
export type { Resolved, Sources } from './resolve.js';
export type {
  BooleanSetting,
  ChoiceSetting,
  IntegerSetting,
  ListSetting,
  Setting,
  SettingBase,
  Settings,
  StringSetting,
  ValueOf,
  Values,
} from './setting.js';
