/** The public face of looking at the archive: its CDX server API, and captures as downloads. */
export { answerCdx, writeCdxAnswer } from './cdx/answer-cdx.ts';
export { readCdxRequest } from './cdx/cdx-request.ts';
export { downloadCapture } from './download-capture.ts';
export { listVisits } from './list-visits.ts';
