/** Lets so many in at a time; the others wait in order. */
export interface Gate {
  enter(): Promise<void>;
  leave(): void;
}

/** Makes a {@link Gate}. */
export function gate(width: number): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return {
    enter() {
      if (inside < width) {
        inside += 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) inside -= 1;
      else next();
    },
  };
}
