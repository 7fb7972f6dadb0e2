/** The public face of discovery. */

export { buildCorpus } from './corpus/build-corpus.ts';
export { type CorpusChanges, compareCorpora, type WordShift } from './corpus/compare-corpora.ts';
export { type Corpora, openCorpora } from './corpus/corpora.ts';
export { type Corpus, type CorpusDocument, stampOf } from './corpus/corpus.ts';
export { exportCorpus, readText, writeCorpusDocument, writeWordTable } from './corpus/export-corpus.ts';
export { type FoundCandidate, findCandidates } from './documents/found-candidates.ts';
export { createEngineGate, quotaFile } from './engines/gate.ts';
export { harvestedEngine } from './engines/harvested.ts';
export { ENGINES } from './engines/registry.ts';
export { isCandidateAddress } from './fusion/refuse.ts';
export { type Assessment, assess, type Verdict } from './relevance/assess.ts';
export type { CurvePoint } from './relevance/curve.ts';
export { type Judgement, MARKS, openTopicMarks, type TopicMarks } from './relevance/marks.ts';
export { type CandidateReasons, explainCandidate, hasCandidate } from './relevance/why.ts';
export { discoverTopic, type OpenEngine } from './run/discover-topic.ts';
export { findFinished, type RunTopicOptions, runTopic, type TopicReport } from './run/run-topic.ts';
export { type Share, type TopicStatistics, topicStatistics } from './run/statistics.ts';
export {
  type Candidate,
  type SeedOutcome,
  type TopicCrawl,
  type TopicRun,
  type TopicSeed,
  withoutWords,
} from './run/topic-run.ts';
export { openTopicRuns, type TopicRuns } from './run/topic-runs.ts';
export { readTopics, type Topic } from './topics/topic.ts';
export { findTopicsOfRecords } from './topics/topics-of-records.ts';
export { isEmptyWord } from './words/word-counts.ts';
