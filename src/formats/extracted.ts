/** What an extractor makes of one record. */
import type { Fields } from '../core/model.ts';
import type { ValueProblem } from './values.ts';

export interface Extracted {
  /** Absent when the record has none; whoever cut it out then knows another. */
  readonly identifier?: string;
  readonly fields: Fields;
  readonly problems: readonly ValueProblem[];
}
