export { httpTransport } from './http-transport.js';

export type { HttpTransportOptions } from './http-transport.js';
