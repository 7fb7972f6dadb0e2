export type Environment = Readonly<Record<string, string | undefined>>;

/** The only place that reads the process's environment; everything else is handed what it needs. */
export function readEnvironment(): Environment {
  return process.env;
}
