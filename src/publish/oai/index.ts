/**
 * `garner/oai`: an OAI-PMH 2.0 provider for any web server. Describe your records by an `OaiBackend`, and
 * mount what `createOaiProvider` gives; see docs/guide/oai-provider.md.
 */
export type {
  OaiBackend,
  OaiIdentity,
  OaiListPage,
  OaiListRequest,
  OaiMetadata,
  OaiMetadataFormat,
  OaiRecord,
  OaiSet,
} from './backend.ts';
export {
  type Branding,
  describeBranding,
  describeFriends,
  describeIdentifiers,
  describePolicies,
  type Policies,
} from './descriptions.ts';
export { createListGate, type ListGate } from './list-gate.ts';
export { createOaiProvider, type OaiProviderOptions } from './provider.ts';
