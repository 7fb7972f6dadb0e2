/** Numbers for Prometheus (text format 0.0.4). Aggregates only: no identifier, no query, no address. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

interface RouteTimes {
  readonly buckets: number[];
  sum: number;
  count: number;
}

export interface StoreNumbers {
  readonly seq: number;
  readonly items: number;
  readonly liveItems: number;
  readonly bytes: number;
}

export interface Metrics {
  observe(request: { method: string; route: string; status: number; durationMs: number }): void;
  write(store: StoreNumbers | undefined): string;
  close(): void;
}

export function createMetrics(version: string): Metrics {
  const requests = new Map<string, number>();
  const times = new Map<string, RouteTimes>();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  return {
    observe({ method, route, status, durationMs }) {
      const key = labels({ method, route, status: String(status) });
      requests.set(key, (requests.get(key) ?? 0) + 1);
      const seconds = durationMs / 1000;
      const time = times.get(route) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
      times.set(route, time);
      for (const [i, bound] of BUCKETS.entries())
        if (seconds <= bound) time.buckets[i] = (time.buckets[i] ?? 0) + 1;
      time.sum += seconds;
      time.count++;
    },
    write(store) {
      const lines: string[] = [];
      const head = (name: string, type: string, help: string) =>
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      const gauge = (name: string, help: string, value: number) => {
        head(name, 'gauge', help);
        lines.push(`${name} ${value}`);
      };
      head('garner_info', 'gauge', 'The version that runs.');
      lines.push(`garner_info${labels({ version })} 1`);
      head('garner_http_requests_total', 'counter', 'Requests answered.');
      for (const [key, count] of requests) lines.push(`garner_http_requests_total${key} ${count}`);
      head('garner_http_request_duration_seconds', 'histogram', 'Time from request to answer.');
      for (const [route, time] of times) writeHistogram(lines, route, time);
      if (store) {
        gauge('garner_store_seq', 'Last commit of the store.', store.seq);
        gauge('garner_store_items', 'Items, live or withdrawn.', store.items);
        gauge('garner_store_live_items', 'Live items.', store.liveItems);
        gauge('garner_store_bytes', 'Size of the store on disk.', store.bytes);
      }
      const memory = process.memoryUsage();
      gauge('process_resident_memory_bytes', 'Resident memory.', memory.rss);
      gauge('nodejs_heap_used_bytes', 'Heap in use.', memory.heapUsed);
      gauge('process_uptime_seconds', 'Since the start of the process.', Math.round(process.uptime()));
      head('nodejs_eventloop_delay_seconds', 'gauge', 'Delay of the event loop since the last reading.');
      for (const quantile of [50, 99])
        lines.push(
          `nodejs_eventloop_delay_seconds{quantile="${quantile / 100}"} ${seconds(delay.percentile(quantile))}`,
        );
      lines.push(`nodejs_eventloop_delay_seconds{quantile="1"} ${seconds(delay.max)}`);
      delay.reset();
      return `${lines.join('\n')}\n`;
    },
    close: () => void delay.disable(),
  };
}

function writeHistogram(lines: string[], route: string, time: RouteTimes): void {
  const name = 'garner_http_request_duration_seconds';
  for (const [i, bound] of BUCKETS.entries())
    lines.push(`${name}_bucket${labels({ route, le: String(bound) })} ${time.buckets[i] ?? 0}`);
  lines.push(
    `${name}_bucket${labels({ route, le: '+Inf' })} ${time.count}`,
    `${name}_sum${labels({ route })} ${time.sum}`,
    `${name}_count${labels({ route })} ${time.count}`,
  );
}

/** From nanoseconds; an empty histogram gives NaN or 0. */
function seconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0;
}

function labels(values: Record<string, string>): string {
  const pairs = Object.entries(values).map(
    ([name, value]) =>
      `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return `{${pairs.join(',')}}`;
}
