// What the port for Prometheus answers, read as Prometheus reads it.

interface Sample {
  /** As it stands in the text, with `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  /** The declared metrics with their types, in their order. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
  /** Of the sample with exactly these labels; undefined without one. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

export function readScrape(text: string): Scrape {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    const [, keyword, name = "", type = ""] = /^# (TYPE|HELP) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === "TYPE") {
      if (types.has(name)) throw new Error(`${name} is declared twice`);
      types.set(name, type);
    }
    if (line === "" || line.startsWith("#")) continue;
    const sample = SAMPLE.exec(line);
    if (sample === null) throw new Error(`This is no line of the format: ${line}`);
    const labels = Object.fromEntries(
      Array.from((sample[2] ?? "").matchAll(LABEL), ([, label, value]) => [label, value]),
    );
    samples.push({ name: sample[1]!, labels, value: sample[3] === "+Inf" ? Infinity : Number(sample[3]) });
  }
  return {
    types,
    samples,
    value: (name, labels = {}) =>
      samples.find((sample) => sample.name === name && Bun.deepEquals(sample.labels, labels))?.value,
  };
}

/** Of each metric, the labels of its samples; without `le` of histograms. */
export function labelsOf({ types, samples }: Scrape): Map<string, string[]> {
  return new Map(
    Array.from(types, ([metric, type]) => {
      const names = type === "histogram" ? [`${metric}_bucket`, `${metric}_sum`, `${metric}_count`] : [metric];
      const own = samples.filter(({ name }) => names.includes(name)).flatMap(({ labels }) => Object.keys(labels));
      return [metric, [...new Set(own)].filter((label) => label !== "le").sort()] as const;
    }),
  );
}

/** What only services on the other database say. */
export const FOREIGN_METRICS = {
  sqlite: "spanlight_database_connections",
  postgres: "spanlight_database_log_bytes",
} as const;
