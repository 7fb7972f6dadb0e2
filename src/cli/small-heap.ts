/** For work that goes on for days beside a web server: little memory rather than the last bit of speed. */
import { setFlagsFromString } from 'node:v8';

/**
 * V8 lets the heap of every thread grow to a multiple of what is in use, which only saves collections.
 * Measured on a million files: 560 MB without, 350 MB with these. Threads that start later take them over.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--max-semi-space-size=2');
  setFlagsFromString('--heap-growing-percent=25');
}
