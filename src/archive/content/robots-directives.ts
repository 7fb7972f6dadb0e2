/**
 * What a page asks of robots: `<meta name=robots>`, the same for one robot by its name, and the header
 * X-Robots-Tag. Rules of robots.txt are another matter.
 */
export interface RobotsDirective {
  /** Lower case; absent for every robot. */
  readonly userAgent?: string;
  /** Lower case: `noindex`, `nofollow`, `noarchive`, `none`, `max-snippet:20` … */
  readonly directive: string;
  readonly from: 'meta' | 'header';
}

export interface RobotsRules {
  readonly index: boolean;
  readonly follow: boolean;
  readonly archive: boolean;
}

const MAX_DIRECTIVES = 100;
/** META names that are robots, beside those that say so. */
const ROBOT_NAMES =
  /^(?:robots|[a-z0-9_-]*bot(?:-[a-z]+)?|slurp|teoma|msnbot|archiver|ia_archiver|bingpreview)$/;
/** Directives with a value would else be taken for robots' names. */
const VALUED = /^(?:max-snippet|max-image-preview|max-video-preview|unavailable_after)$/;

/** Undefined when the META is not about robots. */
export function parseRobotsMeta(name: string, content: string): RobotsDirective[] | undefined {
  const robot = name.trim().toLowerCase();
  if (robot.length > 60 || !ROBOT_NAMES.test(robot)) return undefined;
  const agent = robot === 'robots' ? {} : { userAgent: robot };
  return splitWords(content).map((directive) => ({ ...agent, directive, from: 'meta' }));
}

/** Values of every X-Robots-Tag header, in order. */
export function parseRobotsHeaders(values: readonly string[]): RobotsDirective[] {
  const directives: RobotsDirective[] = [];
  for (const value of values.slice(0, MAX_DIRECTIVES)) {
    let rest = value.slice(0, 2000);
    const named = /^\s*([\w-]{1,60})\s*:/.exec(rest);
    let agent: { userAgent?: string } = {};
    if (named?.[1] && !VALUED.test(named[1].toLowerCase())) {
      agent = { userAgent: named[1].toLowerCase() };
      rest = rest.slice(named[0].length);
    }
    for (const directive of splitWords(rest)) directives.push({ ...agent, directive, from: 'header' });
  }
  return directives.slice(0, MAX_DIRECTIVES);
}

function splitWords(text: string): string[] {
  return text
    .slice(0, 2000)
    .split(',', MAX_DIRECTIVES)
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}

/**
 * What holds for one robot. Directives for its name add to those for all; the strictest counts, since
 * nothing can be taken back.
 */
export function robotsRulesFor(directives: readonly RobotsDirective[], userAgent: string): RobotsRules {
  const agent = userAgent.toLowerCase();
  const ours = directives.filter((one) => one.userAgent === undefined || agent.includes(one.userAgent));
  const has = (...words: readonly string[]) => ours.some(({ directive }) => words.includes(directive));
  return {
    index: !has('noindex', 'none'),
    follow: !has('nofollow', 'none'),
    archive: !has('noarchive', 'nocache'),
  };
}
