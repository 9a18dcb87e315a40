import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that cuts connections where a test wants it. */
export interface CuttingProxy {
  readonly port: number;
  /** Connections cut so far. */
  cuts(): number;
  /** From now on nothing is cut. */
  heal(): void;
  close(): Promise<void>;
}

/**
 * Forwards to `target` and destroys a connection once `marker` has come down it `every` times, right behind the marker.
 */
export async function cuttingProxy(target: number, marker: string, every: number): Promise<CuttingProxy> {
  let cuts = 0;
  let healed = false;
  const open = new Set<Socket>();
  const server = createServer((downstream) => {
    const upstream = connect({ port: target, host: '127.0.0.1' });
    open.add(downstream).add(upstream);
    let seen = 0;
    let tail = '';
    const drop = (): void => {
      open.delete(downstream);
      open.delete(upstream);
      downstream.destroy();
      upstream.destroy();
    };
    for (const socket of [downstream, upstream]) socket.on('error', drop).on('close', drop);
    downstream.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const text = tail + chunk.toString('latin1');
      let from = 0;
      for (let at = text.indexOf(marker); at >= 0 && !healed; at = text.indexOf(marker, from)) {
        from = at + marker.length;
        seen += 1;
        if (seen >= every) {
          cuts += 1;
          downstream.write(chunk.subarray(0, from - tail.length), drop);
          upstream.destroy();
          return;
        }
      }
      tail = text.slice(Math.max(from, text.length - marker.length + 1));
      downstream.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    heal: () => {
      healed = true;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
