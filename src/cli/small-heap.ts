/** For work that goes on for days beside a web server: little memory rather than the last bit of speed. */
import { setFlagsFromString } from 'node:v8';

/**
 * V8 lets the space for short-lived objects grow to tens of megabytes in every thread, which only saves
 * collections. Must be called before threads are started; they take the flags over.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--max-semi-space-size=2');
}
