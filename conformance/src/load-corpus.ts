import { readFileSync, readdirSync } from 'node:fs';

import { AREAS, type Area, type CorpusCase } from './case.js';

/** One file of the corpus. */
export interface CorpusFile {
  readonly area: Area;
  /** `envelope/time.json` */
  readonly path: string;
  readonly cases: readonly unknown[];
}

/** Where the corpus of this package is. */
export const CORPUS_FOLDER: URL = new URL('../corpus/', import.meta.url);

/** Reads every file of a corpus; a folder that is no area is an error. */
export function readCorpus(folder: URL = CORPUS_FOLDER): readonly CorpusFile[] {
  return readdirSync(folder)
    .sort()
    .flatMap((area) => {
      if (!isArea(area)) throw new Error(`${area} is no area of the corpus`);
      const inside = new URL(`${area}/`, folder);
      return readdirSync(inside)
        .sort()
        .map((name) => {
          const cases: unknown = JSON.parse(readFileSync(new URL(name, inside), 'utf8'));
          if (!Array.isArray(cases)) throw new Error(`${area}/${name} is no list of cases`);
          return { area, path: `${area}/${name}`, cases };
        });
    });
}

/** Every case of a corpus. The form of the cases is what `checkCorpus` looks at. */
export function loadCorpus(folder: URL = CORPUS_FOLDER): readonly CorpusCase[] {
  return readCorpus(folder).flatMap(({ area, cases }) => cases.map((item) => ({ area, case: item }) as CorpusCase));
}

function isArea(name: string): name is Area {
  return (AREAS as readonly string[]).includes(name);
}
