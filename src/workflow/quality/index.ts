/** The public face of quality reports. */
export type { DuplicateKind } from './duplicate-keys.ts';
export { createQualityReports, type QualityReports } from './kept-report.ts';
export type { ProblemRule } from './problem-rules.ts';
export type { DuplicateGroup, QualityReport, SourceQuality, TrendPoint } from './report.ts';
