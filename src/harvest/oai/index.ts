/** The public face of the source kind `oai`. */
export type { CaptureArchive } from './didl/index.ts';
export { harvestOai, type OaiReport } from './harvest-oai.ts';
export { probeOai } from './probe.ts';
export type { OaiSource } from './source.ts';
export { readUrlFeed, type UrlFeed } from './url-feed.ts';
