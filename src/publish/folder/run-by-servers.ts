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
