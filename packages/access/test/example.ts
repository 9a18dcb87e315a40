import { Access, parseTokenFile } from '../src/index.js';

const tokens = parseTokenFile('laptop-hooks emit,observe c3VwZXItc2VjcmV0LTE');
const access = new Access({ host: '127.0.0.1', tokens });

/** Name of the caller; throws AccessError, which has a `code` and an HTTP `status`. */
export function whoWatches(headers: Headers): string {
  return access.admit({ header: (name) => headers.get(name), encrypted: false }, 'observe').name;
}
