/** The tag files of a bag (RFC 8493): what they are called and how their lines are written and read. */
export const BAG_DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';

/** Both are written; of a foreign bag whatever it has is checked. */
export const BAG_ALGORITHMS = ['sha256', 'sha512'] as const;

export type BagInfo = readonly (readonly [label: string, value: string])[];

/** §2.2.2; a value that has lines is folded, its later lines are indented. */
export function writeBagInfo(info: BagInfo): string {
  return info.map(([label, value]) => `${label}: ${value.trim().replace(/\s*\r?\n\s*/g, '\n  ')}\n`).join('');
}

export function parseBagInfo(text: string): [label: string, value: string][] {
  const info: [string, string][] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    const last = info.at(-1);
    if (/^[ \t]/.test(line) && last) last[1] += ` ${line.trim()}`;
    else {
      const [, label, value] = /^([^:\s][^:]*):(.*)$/.exec(line) ?? [];
      if (label !== undefined && value !== undefined) info.push([label.trim(), value.trim()]);
    }
  }
  return info;
}

export interface ManifestLine {
  /** Hex, lower case. */
  readonly digest: string;
  /** With slashes, relative to the bag. */
  readonly path: string;
}

/** §2.1.3: only line breaks and the percent sign are encoded. */
export const writeManifestLine = ({ digest, path }: ManifestLine): string =>
  `${digest}  ${path.replace(/[%\r\n]/g, (sign) => ENCODED[sign] ?? sign)}\n`;

const ENCODED: Readonly<Record<string, string>> = { '%': '%25', '\r': '%0D', '\n': '%0A' };

/** Undefined for what is no line of a manifest. `md5sum` marks binary files with an asterisk. */
export function parseManifestLine(line: string): ManifestLine | undefined {
  const [, digest, path] = /^([0-9a-fA-F]+)[ \t]+\*?(.+)$/.exec(line) ?? [];
  if (digest === undefined || path === undefined) return undefined;
  const decoded = path.replace(/%(25|0D|0A)/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return { digest: digest.toLowerCase(), path: decoded.replace(/^\.\//, '') };
}
