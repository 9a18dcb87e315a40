import type { Resolved } from './resolve.js';
import type { Setting, Settings } from './setting.js';

/** The reference page: a Markdown table of every setting with its three spellings, default and meaning. */
export function referencePage(settings: Settings): string {
  const rows = Object.entries(settings).map(([key, setting]) =>
    [
      `\`${key}\``,
      setting.flag === false ? '' : `\`${flagUsage(key, setting)}\``,
      setting.env === undefined ? '' : `\`${setting.env}\``,
      setting.defaultText ?? defaultText(setting),
      `${setting.help}${bounds(setting)}`,
    ]
      .map((cell) => cell.replaceAll('|', '\\|'))
      .join(' | '),
  );
  return ['| File | Flag | Environment | Default | Meaning |', '|---|---|---|---|---|', ...rows.map((row) => `| ${row} |`)].join('\n');
}

/** How a flag is written in a usage text: `--port <n>`, `--query-tokens <true|false>`. */
export function flagUsage(key: string, setting: Setting): string {
  switch (setting.type) {
    case 'integer':
      return `--${key} <n>`;
    case 'boolean':
      return setting.default ? `--${key} <true|false>` : `--${key}`;
    case 'choice':
      return `--${key} <${setting.values.join('|')}>`;
    case 'list':
      return `--${key} <a,b>`;
    case 'string':
      return `--${key} <text>`;
  }
}

/** What is in force and why, one line each: `port = 8787 (default)`. Secrets show as `(set)`. */
export function describeSettings<T extends Settings>(settings: T, resolved: Resolved<T>): string {
  return Object.entries(settings)
    .map(([key, setting]) => {
      const value: unknown = resolved.values[key];
      const secret = setting.type === 'string' && setting.secret === true && value !== undefined;
      return `${key} = ${secret ? '(set)' : show(value)} (${resolved.origins[key] ?? 'default'})`;
    })
    .join('\n');
}

function show(value: unknown): string {
  if (value === undefined) return '(none)';
  return value === Infinity ? 'off' : JSON.stringify(value);
}

function defaultText(setting: Setting): string {
  return setting.default === undefined ? '' : `\`${show(setting.default)}\``;
}

function bounds(setting: Setting): string {
  if (setting.type !== 'integer') return '';
  const unit = setting.unit === undefined ? '' : ` ${setting.unit}`;
  return ` ${setting.min} to ${setting.max}${unit}${setting.off === true ? ', or `off`' : ''}.`;
}
