/** What AllowOverride must grant for a directive to stand in a .htaccess file. */
import { AUTH_DIRECTIVES, COMPAT_DIRECTIVES, REQUIRE_DIRECTIVES, words } from './directive-names.ts';

const FILE_INFO = words(`
  acceptpathinfo action addcharset adddefaultcharset addencoding addhandler addinputfilter addlanguage
  addoutputfilter addoutputfilterbytype addtype browsermatch browsermatchnocase cookietracking defaultlanguage
  defaulttype enablemmap enablesendfile errordocument fileetag forcelanguagepriority forcetype header inputsed
  languagepriority modmimeusepathinfo multiviewsmatch outputsed passenv qualifyredirecturl redirect redirectmatch
  redirectpermanent redirecttemp removecharset removeencoding removehandler removeinputfilter removelanguage
  removeoutputfilter removetype requestheader rewritebase rewritecond rewriteengine rewriteoptions rewriterule
  scriptinterpretersource setenv setenvif setenvifexpr setenvifnocase sethandler setinputfilter setoutputfilter
  substitute unsetenv
`);

const INDEXES = words(`
  addalt addaltbyencoding addaltbytype adddescription addicon addiconbyencoding addiconbytype defaulticon
  directorycheckhandler directoryindex directoryindexredirect directoryslash expiresactive expiresbytype
  expiresdefault fallbackresource headername imapbase imapdefault imapmenu indexheadinsert indexignore
  indexignorereset indexoptions indexorderdefault indexstylesheet metadir metafiles metasuffix readmename
`);

const OPTIONS = words('options checkspelling contentdigest ssloptions xbithack');

const SERVER_ONLY = words(`
  accessfilename alias aliasmatch allowoverride allowoverridelist customlog define directory directorymatch
  documentroot errorlog extendedstatus group hostnamelookups include includeoptional keepalive listen loadfile
  loadmodule location locationmatch logformat loglevel pidfile proxypass proxypassmatch rewritemap scriptalias
  scriptaliasmatch serveradmin serveralias servername serverroot servertokens timeout typesconfig undefine user
  userdir virtualhost
`);

/** One of these must be granted; none: it may be in no .htaccess file. What is not known needs any. */
export function overrideClasses(name: string): readonly string[] | 'any' {
  if (SERVER_ONLY.has(name)) return [];
  if (AUTH_DIRECTIVES.has(name) || REQUIRE_DIRECTIVES.has(name) || name === 'satisfy') return ['authconfig'];
  if (COMPAT_DIRECTIVES.has(name)) return ['limit'];
  if (name === 'limit' || name === 'limitexcept') return ['authconfig', 'limit'];
  if (FILE_INFO.has(name)) return ['fileinfo'];
  if (INDEXES.has(name)) return ['indexes'];
  return OPTIONS.has(name) ? ['options'] : 'any';
}
