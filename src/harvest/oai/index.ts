/** The public face of the source kind `oai`. */
export type { CaptureArchive } from './didl/index.ts';
export { harvestOai, type OaiDeps, type OaiReport } from './harvest-oai.ts';
export { type OaiProbe, probeOai } from './probe.ts';
export type { OaiSource } from './source.ts';
