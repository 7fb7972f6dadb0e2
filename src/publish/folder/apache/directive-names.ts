/** Directives by what they mean for reading: those that decide, those that do not matter, all others unknown. */

export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** mod_authz_core, mod_authz_host, mod_authz_user, mod_authz_groupfile. */
export const REQUIRE_DIRECTIVES = words('require requireall requireany requirenone authmerging');

/** mod_access_compat. */
export const COMPAT_DIRECTIVES = words('order allow deny satisfy');

/** Who somebody is; they restrict nothing alone. */
export const AUTH_DIRECTIVES = words(
  'authtype authname authuserfile authgroupfile authbasicprovider authbasicauthoritative',
);

/** Sections that depend on what we cannot see. */
export const CONDITIONS = words('if elseif else iffile ifdirective ifsection');

/**
 * Of the core and of the modules that a usual installation loads: how files are sent, named, logged, cached.
 * None of them refuses a request for an existing file.
 */
export const HARMLESS = words(`
  acceptfilter acceptpathinfo accessfilename addalt addaltbyencoding addaltbytype addcharset adddefaultcharset
  adddescription addencoding addicon addiconbyencoding addiconbytype addinputfilter addlanguage addmoduleinfo
  addoutputfilter addoutputfilterbytype addtype alias allowmethods allowoverride allowoverridelist browsermatch
  browsermatchnocase bufferedlogs cachedefaultexpire cachedisable cacheenable cacheroot cgipassauth
  checkspelling contentdigest cookietracking customlog defaulticon defaultlanguage defaulttype define
  deflatecompressionlevel deflatefilternote directorycheckhandler directoryindex directoryindexredirect
  directoryslash documentroot enablemmap enablesendfile errordocument errorlog errorlogformat expiresactive
  expiresbytype expiresdefault extendedstatus fallbackresource fileetag forcelanguagepriority forcetype
  globallog gracefulshutdowntimeout group h2direct h2push h2upgrade header headername hostnamelookups httpprotocoloptions
  identitycheck imapbase imapdefault include includeoptional indexheadinsert indexignore indexignorereset
  indexoptions indexorderdefault indexstylesheet inputsed keepalive keepalivetimeout languagepriority limitinternalrecursion
  limitrequestbody limitrequestfields limitrequestfieldsize limitrequestline limitxmlrequestbody listen
  listenbacklog listencoresbucketsratio loadfile loadmodule logformat loglevel logmessage maxconnectionsperchild
  maxkeepaliverequests maxmemfree maxrangeoverlaps maxranges maxrequestworkers maxspareservers maxsparethreads
  metadir metafiles metasuffix mimemagicfile minspareservers minsparethreads modmimeusepathinfo multiviewsmatch
  mutex namevirtualhost options outputsed passenv pidfile protocol protocols protocolshonororder proxypreservehost
  qualifyredirecturl readmename redirectpermanent redirecttemp removecharset removeencoding removehandler
  removeinputfilter removelanguage removeoutputfilter removetype requestheader requestreadtimeout rewritebase rewritecond
  rewriteengine rewritelog rewriteloglevel rewritemap rewriteoptions scriptinterpretersource scriptlog
  serveradmin serveralias serverlimit servername serverpath serverroot serversignature servertokens setenv
  setenvif setenvifexpr setenvifnocase setinputfilter setoutputfilter startservers startthreads substitute
  threadlimit threadsperchild threadstacksize timeout traceenable transferlog typesconfig undefine unsetenv
  usecanonicalname usecanonicalphysicalport user userdir versionedalias xbithack
  php_value php_flag php_admin_value php_admin_flag
  sslcertificatechainfile sslcertificatefile sslcertificatekeyfile sslciphersuite sslengine sslhonorcipherorder
  sslprotocol sslsessioncache sslsessiontickets sslstaplingcache sslusestapling ssloptions
`);

/** How files are run or redirected; looked at on their own (see `refusals.ts`). */
export const REFUSING = words(
  'rewriterule redirect redirectmatch sethandler addhandler action aliasmatch scriptalias scriptaliasmatch proxypass proxypassmatch',
);

/** Compiled in, or loaded by every usual installation of 2.4. */
export const USUAL_MODULES = words(`
  core.c http_core.c mod_so.c mod_authz_core.c mod_authz_host.c mod_authz_user.c mod_authz_groupfile.c
  mod_access_compat.c mod_auth_basic.c mod_authn_core.c mod_authn_file.c mod_alias.c mod_dir.c mod_mime.c
  mod_autoindex.c mod_env.c mod_setenvif.c mod_headers.c mod_expires.c mod_deflate.c mod_rewrite.c
  mod_negotiation.c mod_filter.c mod_log_config.c mod_unixd.c mod_version.c mod_reqtimeout.c mod_status.c
`);

export const isAccessDirective = (name: string): boolean =>
  REQUIRE_DIRECTIVES.has(name) || COMPAT_DIRECTIVES.has(name);
