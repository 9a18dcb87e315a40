import { watch } from 'node:fs';

/**
 * Watches a folder. `changed` gets the name of what changed in it, `undefined` where the system does not tell; `failed` comes
 * at most once, when watching is not possible or ends. Returns what ends it.
 */
export type DirectoryWatch = (directory: string, changed: (name: string | undefined) => void, failed: (error: unknown) => void) => () => void;

/** `fs.watch` of Node. */
export const nodeWatch: DirectoryWatch = (directory, changed, failed) => {
  try {
    const watcher = watch(directory, { encoding: 'utf8' }, (_event, name) => {
      changed(name ?? undefined);
    });
    watcher.once('error', (error) => {
      watcher.close();
      failed(error);
    });
    return () => {
      watcher.close();
    };
  } catch (error) {
    failed(error);
    return () => undefined;
  }
};
