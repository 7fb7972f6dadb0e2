/** The config file that `garner init` writes: small, valid, and commented where a newcomer will change it. */

export interface TemplateOptions {
  readonly repositoryName?: string;
  /** Folders or archives by name of their source; relative to the file. */
  readonly sources?: Readonly<Record<string, string>>;
}

export function writeConfigTemplate({
  repositoryName = 'My records',
  sources = {},
}: TemplateOptions = {}): string {
  return `# Garner's configuration. Every key is described in docs/reference/config.md;
# \`garner check\` tells what is wrong here. \${NAME} takes a value from the environment,
# \${NAME:-default} with a fallback.

repository:
  name: ${quote(repositoryName)}
  # The public address, once there is one:
  # baseUrl: https://data.example.org
  # The name inside minted OAI identifiers; choose it once and never change it:
  # identifier: data.example.org
  # adminEmail: curator@example.org

# The store's folder. Paths are relative to this file.
data: ./garner-data

server:
  host: 127.0.0.1
  port: 8080

# Where records come from. \`garner import NAME\` reads one.
${writeSources(sources)}
# Saved queries, each with its own page:
# views:
#   polar:
#     title: Polar regions
#     query: "bbox:[-180,60,180,90]"

# Readers may see everything unless a rule says otherwise; changing anything needs a token:
# access:
#   tokens:
#     curator:
#       secret: \${GARNER_CURATOR_TOKEN}
#       role: curator

# Fields of your own for a format that Garner does not know:
# formats:
#   stations:
#     namespaces:
#       s: https://example.org/stations
#     detect:
#       - root: s:station
#     identifier: /s:station/@id
#     fields:
#       title:
#         paths: /s:station/s:name
#       elevation:
#         paths: /s:station/s:elevation
#         type: number
`;
}

function writeSources(sources: Readonly<Record<string, string>>): string {
  const entries = Object.entries(sources);
  if (entries.length === 0)
    return `# sources:
#   records:
#     kind: files
#     path: ./my-records
`;
  return `sources:\n${entries
    .map(([name, path]) => `  ${quote(name)}:\n    kind: files\n    path: ${quote(path)}\n`)
    .join('')}`;
}

/** JSON strings are YAML strings; the `${` of a path must not be taken for a variable. */
function quote(text: string): string {
  return /^[A-Za-z./][A-Za-z0-9 ._/-]*$/.test(text) && !/\s$|^(?:true|false|null)$/i.test(text)
    ? text
    : JSON.stringify(text.replaceAll('${', () => '$${'));
}
