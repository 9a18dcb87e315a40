import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Twelve hexadecimal digits of chance. They are no secret, and `node:crypto` takes longer to load than a hook has. */
export function nonce(): string {
  return Math.floor(Math.random() * 2 ** 48).toString(16).padStart(12, '0');
}

/**
 * A name for this process that no other process has, on this machine or another, before or after: machine and boot, process id, the
 * moment the process began, and a nonce. A process id alone comes again.
 */
export async function holderName(): Promise<string> {
  const [machine, start] = await Promise.all([machineName(), startOf(process.pid)]);
  return `${machine}.${process.pid}.${start ?? 'unknown'}.${nonce()}`;
}

/** Whether the process of a holder's name lives; undefined where that cannot be said. */
export async function isAlive(holder: string): Promise<boolean | undefined> {
  const [machine, pidText, start] = holder.split('.');
  const pid = Number(pidText);
  if (machine !== (await machineName()) || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (start !== undefined && start !== 'unknown') return (await startOf(pid)) === start;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // Somebody has this number, perhaps somebody else.
  return undefined;
}

// Process ids mean something within one boot and one namespace of processes.
async function machineName(): Promise<string> {
  try {
    const [boot, space] = await Promise.all([readFile('/proc/sys/kernel/random/boot_id', 'utf8'), readlink('/proc/self/ns/pid')]);
    return `${boot.replace(/[^0-9a-f]/g, '').slice(0, 16)}_${space.replace(/\D/g, '')}`;
  } catch {
    return hostname().replace(/[^A-Za-z0-9-]/g, '_') || 'localhost';
  }
}

/** When a process began, in ticks since the boot; undefined for one that is gone, or where the system does not tell. */
async function startOf(pid: number): Promise<string | undefined> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the name of the program and may hold anything, parentheses too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A killed process that nobody has waited for does nothing any more.
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}
