/** The syntax of Apache's configuration files: directives, sections, continuation lines, quotes, comments. */

export interface Place {
  readonly file: string;
  readonly line: number;
}

export interface Directive extends Place {
  /** In lower case. */
  readonly name: string;
  readonly args: readonly string[];
  /** As written after the name, for messages and for expressions. */
  readonly rest: string;
  /** Of a section `<name args>`. */
  readonly children?: readonly Directive[];
}

export interface ParsedFile {
  readonly directives: readonly Directive[];
  /** What is wrong with the syntax; a server would not start with it. */
  readonly mistakes: readonly (Place & { readonly message: string })[];
}

interface Open extends Place {
  readonly name: string;
  readonly rest: string;
  readonly children: Directive[];
}

export function parseDirectives(text: string, file: string): ParsedFile {
  const root: Directive[] = [];
  const open: Open[] = [];
  const mistakes: (Place & { message: string })[] = [];
  for (const { line, content } of logicalLines(text)) {
    const into = open.at(-1)?.children ?? root;
    const closing = /^<\/([A-Za-z]\w*)>$/.exec(content)?.[1];
    if (closing !== undefined) {
      const section = open.pop();
      if (section?.name !== closing.toLowerCase()) {
        mistakes.push({ file, line, message: `</${closing}> closes nothing that is open` });
        if (section) open.push(section);
        continue;
      }
      const { name, rest, children } = section;
      const parent = open.at(-1)?.children ?? root;
      parent.push({ name, args: splitArgs(rest), rest, children, file, line: section.line });
      continue;
    }
    // What stands behind the last bracket is not looked at.
    const opening = /^<([A-Za-z]\w*)\s*(.*?)\s*>[^>]*$/s.exec(content);
    if (opening?.[1] !== undefined) {
      open.push({ name: opening[1].toLowerCase(), rest: opening[2] ?? '', children: [], file, line });
      continue;
    }
    if (content.startsWith('<')) mistakes.push({ file, line, message: `${content} opens no section` });
    const [, word = '', rest = ''] = /^("[^"]*"|'[^']*'|\S+)\s*(.*)$/s.exec(content) ?? [];
    const name = word.replace(/^(["'])(.*)\1$/s, '$2');
    into.push({ name: name.toLowerCase(), args: splitArgs(rest), rest, file, line });
  }
  for (const { name, line } of open) mistakes.push({ file, line, message: `<${name}> is never closed` });
  // What stands in a section that nobody closed must not fall out of its scope: it is kept inside.
  while (open.length > 0) {
    const section = open.pop();
    if (!section) break;
    const { name, rest, children, line } = section;
    (open.at(-1)?.children ?? root).push({ name, args: splitArgs(rest), rest, children, file, line });
  }
  return { directives: root, mistakes };
}

/** Lines joined where a backslash ends one; comments and empty ones left out. */
function* logicalLines(text: string): Generator<{ line: number; content: string }> {
  let pending = '';
  let start = 0;
  for (const [i, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (pending === '') start = i + 1;
    if (/(?:^|[^\\])\\$/.test(raw)) {
      pending += raw.slice(0, -1);
      continue;
    }
    const content = (pending + raw).trim();
    pending = '';
    if (content !== '' && !content.startsWith('#')) yield { line: start, content };
  }
  if (pending.trim() !== '') yield { line: start, content: pending.trim() };
}

/** Words, and texts in single or double quotes; a backslash escapes quotes and itself within quotes. */
function splitArgs(rest: string): string[] {
  return [...rest.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|(\S+)/gs)].map(
    ([, double, single, bare]) => bare ?? (double ?? single ?? '').replace(/\\(["'\\])/g, '$1'),
  );
}
