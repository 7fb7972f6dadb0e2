/** Media types by file extension: what web servers say for the files of ordinary sites. */

const TABLE: Readonly<Record<string, string>> = {
  'text/html': 'html htm',
  'application/xhtml+xml': 'xhtml xht',
  'text/css': 'css',
  'text/javascript': 'js mjs',
  'application/json': 'json map',
  'application/ld+json': 'jsonld',
  'application/geo+json': 'geojson',
  'application/manifest+json': 'webmanifest',
  'text/plain': 'txt text log conf ini cfg',
  'text/markdown': 'md markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/calendar': 'ics',
  'text/vcard': 'vcf',
  'text/vtt': 'vtt',
  'text/turtle': 'ttl',
  'application/n-triples': 'nt',
  'application/xml': 'xml xsl xsd',
  'application/xslt+xml': 'xslt',
  'application/rdf+xml': 'rdf owl',
  'application/rss+xml': 'rss',
  'application/atom+xml': 'atom',
  'application/yaml': 'yaml yml',
  'application/pdf': 'pdf',
  'application/postscript': 'ps eps ai',
  'application/rtf': 'rtf',
  'application/x-tex': 'tex',
  'application/x-bibtex': 'bib',
  'application/msword': 'doc dot',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt pps',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/epub+zip': 'epub',
  'image/jpeg': 'jpg jpeg jpe',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif tiff',
  'image/bmp': 'bmp',
  'image/vnd.microsoft.icon': 'ico',
  'image/jp2': 'jp2',
  'image/vnd.djvu': 'djvu djv',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg oga opus',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
  'audio/mp4': 'm4a',
  'audio/midi': 'mid midi',
  'video/mp4': 'mp4 m4v',
  'video/webm': 'webm',
  'video/ogg': 'ogv',
  'video/quicktime': 'mov qt',
  'video/x-msvideo': 'avi',
  'video/mpeg': 'mpg mpeg',
  'video/x-matroska': 'mkv',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'application/zip': 'zip',
  'application/gzip': 'gz tgz',
  'application/x-tar': 'tar',
  'application/x-bzip2': 'bz2',
  'application/x-xz': 'xz',
  'application/zstd': 'zst',
  'application/x-7z-compressed': '7z',
  'application/vnd.rar': 'rar',
  'application/warc': 'warc',
  'application/wasm': 'wasm',
  'application/netcdf': 'nc cdf',
  'application/x-hdf5': 'h5 hdf5 he5',
  'application/x-hdf': 'hdf',
  'application/fits': 'fits fit',
  'application/vnd.google-earth.kml+xml': 'kml',
  'application/vnd.google-earth.kmz': 'kmz',
  'application/vnd.sqlite3': 'sqlite sqlite3',
  'application/vnd.apache.parquet': 'parquet',
  'application/java-archive': 'jar',
  'application/x-shockwave-flash': 'swf',
};

const BY_EXTENSION = new Map(
  Object.entries(TABLE).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [extension, type] as const),
  ),
);

export function typeByExtension(fileName: string): string | undefined {
  const extension = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1];
  return extension === undefined ? undefined : BY_EXTENSION.get(extension.toLowerCase());
}

/**
 * Files that a web server runs instead of sending. Their bytes are programs, often with passwords in them,
 * and no visitor of the site ever sees them; what they answer is reached by a sitemap or a list of URLs.
 */
const RUN_BY_SERVERS =
  /^(?:php\d?|phtml|phar|phps|cgi|fcgi|asp|aspx|ascx|ashx|asmx|asa|asax|jsp|jspx|cfm|cfc|shtml|shtm|stm)$/i;

export function isRunByServers(fileName: string): boolean {
  // Apache looks at every extension of a name: `a.php.bak` may be run, too.
  return fileName
    .split('.')
    .slice(1)
    .some((extension) => RUN_BY_SERVERS.test(extension));
}

/** `image/jpeg` → `mime:image:jpeg`; characters that a set spec cannot have become dots. */
export function setOfType(mediaType: string): string {
  const [type = 'application', subtype = 'octet-stream'] = mediaType.toLowerCase().split('/');
  const clean = (part: string) => part.replace(/[^a-z0-9\-_.!~*'()]/g, '.');
  return `mime:${clean(type)}:${clean(subtype)}`;
}
