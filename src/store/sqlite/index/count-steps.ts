/** Numbers of documents by step or year. Written for speed: match-all visits every value of a column. */
import { eachRun } from './block-runs.ts';
import { type ColumnBlock, KIND_WIDTH, PLACE_MASK } from './column-block.ts';
import type { Column } from './columns.ts';
import { yearOf } from './year-of.ts';

/** Slots; steps that lie further apart (or nearly so far, with the room for more) are better counted in a map. */
const MOST_STEPS = 1 << 16;

/** The step that a number lies in; for dates, given as instants, the year. Not finite: it lies in none. */
export const stepOf = (value: number, width: number | 'year'): number =>
  width === 'year' ? yearOf(value) : Math.floor(value / width);

/**
 * How many documents have a value in each step; one with several in it counts once. Undefined when the steps
 * lie too far apart.
 */
export function countSteps(
  column: Column,
  keys: Uint32Array,
  width: number | 'year',
): Map<number, number> | undefined {
  const counter = new StepCounter();
  eachRun(keys, (number, run) => {
    const block = column.blocks[number];
    if (!block || counter.isTooWide) return;
    if (block.offsets) countSeveral(counter, block, run, width);
    else countSingle(counter, block, run, width);
  });
  return counter.isTooWide ? undefined : counter.counts();
}

/** Every document has one slot, which is NaN without a value, and so is its step. */
function countSingle(
  counter: StepCounter,
  { kind, count, values }: ColumnBlock,
  keys: Uint32Array,
  width: number | 'year',
): void {
  const numbers = KIND_WIDTH[kind];
  const isYear = width === 'year';
  const divisor = isYear ? 1 : width;
  let { first, slots } = counter;
  for (let i = 0; i < keys.length; i++) {
    const place = keys[i]! & PLACE_MASK;
    if (place >= count) return;
    const value = values[place * numbers]!;
    const step = isYear ? yearOf(value) : Math.floor(value / divisor);
    const slot = step - first;
    if (slot >= 0 && slot < slots.length) slots[slot]!++;
    else if (!Number.isNaN(step)) {
      counter.add(step);
      ({ first, slots } = counter);
    }
  }
}

function countSeveral(
  counter: StepCounter,
  { kind, count, offsets, values }: ColumnBlock,
  keys: Uint32Array,
  width: number | 'year',
): void {
  if (!offsets) return;
  const numbers = KIND_WIDTH[kind];
  for (const key of keys) {
    const place = key & PLACE_MASK;
    if (place >= count) return;
    for (let at = offsets[place]!; at < offsets[place + 1]!; at++)
      counter.addOnce(stepOf(values[at * numbers]!, width), key);
  }
}

class StepCounter {
  isTooWide = false;
  /** The step of the first slot. */
  first = 0;
  slots = new Uint32Array(0);
  #lastKeys = new Uint32Array(0);

  add(step: number): void {
    const slot = step - this.first;
    if (slot >= 0 && slot < this.slots.length) this.slots[slot]!++;
    else if (this.#makeRoom(step)) this.slots[step - this.first]!++;
  }

  /** For the values of one document, which come one after the other. */
  addOnce(step: number, key: number): void {
    if (this.#lastKeys[step - this.first] === key + 1) return;
    this.add(step);
    if (Number.isFinite(step)) this.#lastKeys[step - this.first] = key + 1;
  }

  counts(): Map<number, number> {
    const found = new Map<number, number>();
    for (let slot = 0; slot < this.slots.length; slot++)
      if (this.slots[slot]! > 0) found.set(this.first + slot, this.slots[slot]!);
    return found;
  }

  #makeRoom(step: number): boolean {
    if (!Number.isFinite(step)) return false;
    const { length } = this.slots;
    const low = length === 0 ? step : Math.min(this.first, step);
    const high = length === 0 ? step + 1 : Math.max(this.first + length, step + 1);
    if (high - low > MOST_STEPS) {
      this.isTooWide = true;
      return false;
    }
    const size = Math.min(MOST_STEPS, (high - low) * 2);
    // The room beyond what is needed is on the side that grew.
    const first = length > 0 && step < this.first ? high - size : low;
    this.slots = moved(this.slots, this.first - first, size);
    this.#lastKeys = moved(this.#lastKeys, this.first - first, size);
    this.first = first;
    return true;
  }
}

function moved(array: Uint32Array, by: number, size: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(size);
  if (array.length > 0) grown.set(array, by);
  return grown;
}
