/** Answers in JSON, read without trust: what is missing or of another kind is simply not there. */
import { GarnerError } from '../../core/errors.ts';
import type { EngineAnswer } from './engine.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function readJson({ bytes, url }: EngineAnswer): JsonObject {
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw nonsense(url, text, cause);
  }
  if (!isObject(value)) throw nonsense(url, text);
  return value;
}

/** What came instead: the beginning, so that a login page or a notice can be told. */
export function nonsense(url: string, text: string, cause?: unknown): GarnerError {
  const start = text.replace(/\s+/g, ' ').trim().slice(0, 120);
  return new GarnerError(
    'source.answer',
    `${new URL(url).host} answered with something else than results: ${start === '' ? 'nothing' : `“${start}”`}`,
    { ...(cause !== undefined && { cause }) },
  );
}

export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let node = value;
  for (const step of path) node = isObject(node) ? node[step] : undefined;
  return node;
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' && found.trim() !== '' ? found.trim() : undefined;
}

export function objectsAt(value: unknown, ...path: readonly string[]): JsonObject[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** The first text of a list, or the text itself: libraries differ even between two of their records. */
export function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value.find((entry) => typeof entry === 'string') : value;
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
}

/** The list must be there, be it empty: its absence means that the answer is another one than expected. */
export function resultsAt(answer: EngineAnswer, json: JsonObject, ...path: readonly string[]): JsonObject[] {
  if (!Array.isArray(valueAt(json, ...path))) throw nonsense(answer.url, JSON.stringify(json));
  return objectsAt(json, ...path);
}
