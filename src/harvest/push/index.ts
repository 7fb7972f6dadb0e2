/** The public face of the source kind `push`. */
export type { PushChange } from './push-change.ts';
export { createPushIntake, type PushIntake, type PushOutcome } from './push-intake.ts';
