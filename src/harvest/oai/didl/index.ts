/** The public face of files in DIDL that become captures. */
export { type CaptureArchive, DidlCaptures } from './didl-captures.ts';
