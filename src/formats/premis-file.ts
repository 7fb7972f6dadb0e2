/** PREMIS 3 on one file: who it is, how long, and the digest by which damage is noticed. */
import { rawXml, xml } from '../xml/write.ts';

export interface PremisFile {
  /** The address of the file. */
  readonly url: string;
  readonly size: number;
  readonly mediaType: string;
  /** Hex. */
  readonly sha256: string;
}

/** Element order is that of premis-v3-0.xsd. One element without an XML declaration. */
export function writePremisFile({ url, size, mediaType, sha256 }: PremisFile): string {
  const identifier = xml`<premis:objectIdentifier><premis:objectIdentifierType>URL</premis:objectIdentifierType><premis:objectIdentifierValue>${url}</premis:objectIdentifierValue></premis:objectIdentifier>`;
  const fixity = xml`<premis:fixity><premis:messageDigestAlgorithm>SHA-256</premis:messageDigestAlgorithm><premis:messageDigest>${sha256}</premis:messageDigest></premis:fixity>`;
  const format = xml`<premis:format><premis:formatDesignation><premis:formatName>${mediaType}</premis:formatName></premis:formatDesignation></premis:format>`;
  return xml`<premis:object xmlns:premis="http://www.loc.gov/premis/v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="premis:file">${rawXml(identifier)}<premis:objectCharacteristics>${rawXml(fixity)}<premis:size>${size}</premis:size>${rawXml(format)}</premis:objectCharacteristics></premis:object>`;
}
