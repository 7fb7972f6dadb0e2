/** A dictionary as JSON. */
import { type DataDictionary, invalidDictionary, readDictionary } from './dictionary.ts';

export function writeJsonDictionary(dictionary: DataDictionary): string {
  return `${JSON.stringify(dictionary, undefined, 2)}\n`;
}

export function readJsonDictionary(bytes: Uint8Array): DataDictionary {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw invalidDictionary([{ message: `no JSON: ${String(error)}`, place: undefined }]);
  }
  return readDictionary(value);
}
