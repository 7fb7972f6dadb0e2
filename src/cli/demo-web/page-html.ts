/** A page of the demo web as HTML: paragraphs, `## ` headings, `- ` lists, links and pictures. */
import { hasHome, LINK, type Site, type WebPage } from './pages.ts';

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function writeHtml({ title, lang, text, site, path }: WebPage): string {
  const home = hasHome(site) && path !== '/';
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header>${home ? `<a href="/">${escapeHtml(site.name)}</a>` : escapeHtml(site.name)}</header>
<main>
<h1>${escapeHtml(title)}</h1>
${text
  .trim()
  .split(/\n{2,}/)
  .map(writeBlock)
  .join('\n')}
</main>
</body>
</html>
`;
}

/** A block may begin with a heading and end with a list. */
function writeBlock(block: string): string {
  const lines = block.split('\n');
  const items = lines.filter((line) => line.startsWith('- '));
  const parts = lines
    .filter((line) => !line.startsWith('- '))
    .map((line) =>
      line.startsWith('## ') ? `<h2>${writeInline(line.slice(3))}</h2>` : `<p>${writeInline(line)}</p>`,
    );
  if (items.length > 0)
    parts.push(`<ul>${items.map((line) => `<li>${writeInline(line.slice(2))}</li>`).join('')}</ul>`);
  return parts.join('\n');
}

function writeInline(line: string): string {
  let html = '';
  let done = 0;
  for (const match of line.matchAll(LINK)) {
    const [whole, picture, label = '', address = ''] = match;
    html += escapeHtml(line.slice(done, match.index));
    html +=
      picture === '!'
        ? `<img src="${escapeHtml(address)}" alt="${escapeHtml(label)}" width="320" height="160">`
        : `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;
    done = match.index + whole.length;
  }
  return html + escapeHtml(line.slice(done));
}

export const writeStyle = ({ colour }: Site): string =>
  `body{margin:0;font:1rem/1.5 sans-serif;color:#222}
header{padding:.75rem 1rem;background:${colour};color:#fff}
header a{color:inherit}
main{max-width:40rem;padding:1rem}
h1{color:${colour}}
img{max-width:100%;height:auto}
`;
