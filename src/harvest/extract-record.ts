/** One piece of bytes → one record ready for the store. Runs in worker threads; pure but for compiled paths. */
import { asGarnerError, GarnerError } from '../core/errors.ts';
import type { FieldSpec, IndexDocument, RecordProblem } from '../core/model.ts';
import { createJsonExtractor } from '../formats/extract-json.ts';
import { createXmlExtractor } from '../formats/extract-xml.ts';
import type { Extracted } from '../formats/extracted.ts';
import type { MetadataFormat } from '../formats/format.ts';
import { checkInside } from '../formats/inner-checks.ts';
import { searchedTexts } from '../formats/json-texts.ts';
import type { FormatRegistry } from '../formats/registry.ts';
import { makeIndexDocument } from '../query/index-document.ts';
import type { IncomingRecord } from '../store/index.ts';
import { RecordDocument } from '../xml/record-document.ts';
import { repairXml } from '../xml/repair.ts';
import { compileSchema, type XmlSchema } from '../xml/xsd.ts';
import type { RecordPiece } from './ingest.ts';
import type { RecordFilter } from './record-filter.ts';

/** What happens to a record that its schema refuses. `quarantine` keeps it where only curators see it. */
export type ValidationPolicy = 'report' | 'quarantine' | 'reject';

export interface ExtractionSettings {
  readonly formats: FormatRegistry;
  /** Forces a format; default: detected. */
  readonly format?: string | undefined;
  readonly schema?: XmlSchema | undefined;
  readonly validation: ValidationPolicy;
  readonly filter?: RecordFilter | undefined;
}

export interface ExtractedRecord extends IncomingRecord {
  readonly document: IndexDocument;
}

export type ExtractOne = (
  piece: RecordPiece,
  transformed?: Uint8Array,
) => {
  record?: ExtractedRecord;
  /** Its identifier, when the source's filters leave the record out. */
  filtered?: string;
  problems: RecordProblem[];
};

export function createExtraction(settings: ExtractionSettings): ExtractOne {
  const specs: readonly FieldSpec[] = settings.formats.fieldSpecs();
  const xmlExtractors = new Map<string, ReturnType<typeof createXmlExtractor>>();
  const jsonExtractors = new Map<string, ReturnType<typeof createJsonExtractor>>();
  const formatSchemas = new Map<string, XmlSchema>();
  /** The source's schema, else the format's own. */
  const schemaOf = ({ name, xsd }: MetadataFormat): XmlSchema | undefined => {
    if (settings.schema || xsd === undefined) return settings.schema;
    const known = formatSchemas.get(name) ?? compileSchema(xsd);
    formatSchemas.set(name, known);
    return known;
  };
  const formatOf = (piece: RecordPiece): MetadataFormat | undefined => {
    const name = piece.format ?? settings.format;
    return name === undefined ? undefined : settings.formats.get(name);
  };

  const fromXml = (bytes: Uint8Array, known: MetadataFormat | undefined) => {
    using document = new RecordDocument(bytes);
    const format = known ?? settings.formats.detectXml(document);
    const extract = cached(xmlExtractors, format, createXmlExtractor);
    const findings = schemaOf(format)?.validate(document.parsed) ?? [];
    return {
      format,
      ...withAttributes(extract(document), format, bytes, document),
      findings,
      broken: checkInside(format.name, bytes),
      accepted: settings.filter?.accepts(document, format.namespaces) ?? true,
    };
  };
  const fromJson = (bytes: Uint8Array, known: MetadataFormat | undefined) => {
    const value = parseJson(bytes);
    const format = known ?? settings.formats.detectJson(value);
    const extract = cached(jsonExtractors, format, createJsonExtractor);
    return {
      format,
      extracted: extract(value),
      texts: searchedTexts(format, value),
      findings: [],
      broken: [],
      accepted: true,
    };
  };

  /** What is broken is mended once, and then must hold. */
  const fromPiece = (piece: RecordPiece, transformed: Uint8Array | undefined) => {
    const read = piece.syntax === 'xml' ? fromXml : fromJson;
    try {
      return { raw: piece.bytes, repairs: [], ...read(transformed ?? piece.bytes, formatOf(piece)) };
    } catch (error) {
      const mended = piece.repair && !transformed && isMendable(error) ? repairXml(piece.bytes) : undefined;
      if (!mended || mended.repairs.length === 0) throw error;
      return { raw: mended.bytes, repairs: mended.repairs, ...read(mended.bytes, formatOf(piece)) };
    }
  };

  return (piece, transformed) => {
    const place = (
      problem: { code: string; message: string },
      identifier?: string,
      line = piece.line,
    ): RecordProblem => ({
      ...problem,
      where: piece.where,
      line,
      ...(identifier !== undefined && { identifier }),
    });
    try {
      const read = fromPiece(piece, transformed);
      const { raw, repairs, format, extracted, texts, findings, broken, accepted } = read;
      const identifier = readIdentifier(extracted, piece);
      if (!accepted) return { filtered: identifier, problems: [] };
      const problems = extracted.problems.map((problem) => place(problem, identifier));
      if (repairs.length > 0)
        problems.push(place({ code: 'record.repaired', message: repairs.join('; ') }, identifier));
      for (const finding of findings) {
        problems.push(
          place({ code: 'xml.invalid', message: finding.message }, identifier, piece.line + finding.line - 1),
        );
      }
      for (const { code, message, line } of broken)
        problems.push(place({ code, message }, identifier, piece.line + line - 1));
      if (findings.length > 0 && settings.validation === 'reject') return { problems };
      const record: ExtractedRecord = {
        identifier,
        format: format.name,
        raw,
        ...(transformed && { transformed }),
        document: makeIndexDocument(extracted.fields, specs, texts),
        ...(piece.entry !== undefined && { entry: piece.entry }),
        // Told every time: older stores hid the whole item by a rule of its own.
        access: 'source',
        ...(findings.length > 0 && settings.validation === 'quarantine' && { held: true }),
        origin: { where: piece.where, line: piece.line },
      };
      return { record, problems };
    } catch (thrown) {
      const error = asGarnerError(thrown);
      if (error.code === 'internal.bug') throw error;
      const inner = error.details.line;
      const line = typeof inner === 'number' ? piece.line + inner - 1 : piece.line;
      return { problems: [place({ code: error.code, message: error.message }, piece.identifier, line)] };
    }
  };
}

const isMendable = (error: unknown): boolean => {
  const { code } = asGarnerError(error);
  return code === 'xml.malformed' || code === 'xml.encoding' || code === 'xml.forbidden';
};

function cached<T>(known: Map<string, T>, format: MetadataFormat, make: (format: MetadataFormat) => T): T {
  let extractor = known.get(format.name);
  if (!extractor) {
    extractor = make(format);
    known.set(format.name, extractor);
  }
  return extractor;
}

function withAttributes(
  extracted: Extracted,
  { attributes }: MetadataFormat,
  bytes: Uint8Array,
  document: RecordDocument,
) {
  if (!attributes) return { extracted, texts: document.texts() };
  const { fields, texts } = attributes(bytes);
  return { extracted: { ...extracted, fields: { ...extracted.fields, ...fields } }, texts };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new GarnerError('json.malformed', cause instanceof Error ? cause.message : 'not JSON', { cause });
  }
}

const MAX_IDENTIFIER_LENGTH = 2000;

function readIdentifier(extracted: Extracted, piece: RecordPiece): string {
  const identifier = piece.identifier ?? extracted.identifier ?? piece.fallbackIdentifier;
  if (identifier === '' || identifier.length > MAX_IDENTIFIER_LENGTH) {
    throw new GarnerError(
      'record.identifier',
      `the identifier has ${identifier.length} characters; 1 to ${MAX_IDENTIFIER_LENGTH} are allowed`,
    );
  }
  if (identifier.includes('\0')) throw new GarnerError('record.identifier', 'the identifier has a NUL in it');
  return identifier;
}
