export { aepkit } from './aepkit.js';
export { AREAS, STREAM_FINDINGS } from './case.js';
export { checkCorpus } from './check-corpus.js';
export { CORPUS_FOLDER, loadCorpus, readCorpus } from './load-corpus.js';
export { isBad, runCorpus } from './run-corpus.js';
export { sameJson } from './same-json.js';

export type {
  Area,
  Areas,
  AttrMatchCase,
  CaptureCase,
  CaseBase,
  CorpusCase,
  DigestCase,
  EmissionCase,
  EnvelopeCase,
  EventInput,
  ExtensionsCase,
  LastEventIdCase,
  OrderCase,
  PayloadCase,
  Place,
  SseIdCase,
  StreamCase,
  StreamFinding,
} from './case.js';
export type { CorpusFile } from './load-corpus.js';
export type { Answer, Implementation, Verdict } from './implementation.js';
export type { CaseResult, Outcome, RunOptions } from './run-corpus.js';
