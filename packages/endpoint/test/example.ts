import { endpointRoutes, listen, loadTls } from '../src/index.js';
import { Access } from '@aepkit/access';

const access = new Access({ host: '127.0.0.1' });
const { app, route } = endpointRoutes({ access, version: '1.0.0' });
route('/hello', ['GET'], () => new Response('hello'));
const listening = await listen({ app, host: '127.0.0.1', port: 0, tls: await loadTls(undefined, undefined) });
console.log((await fetch(`${listening.url}/hello`)).status);
await listening.drain();
