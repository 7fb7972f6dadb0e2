/** Milliseconds by stage of a harvest; stages overlap, so that their sum may exceed the whole. */
export interface StageTimes {
  /** Waiting for bytes of the provider. */
  fetchMs: number;
  /** Cutting answers into records. */
  cutMs: number;
  /** Parsing, transforming, validating and extracting, from hand-over to return. */
  extractMs: number;
  commitMs: number;
}
