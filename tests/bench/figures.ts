// Figures as they stand in a report: percentiles, rounded numbers and one small Markdown table.

/** The value below which that share (0 to 1) of the samples lies; NaN without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** 38.2 k, 1.31 M, 940 */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  return value >= 10_000 ? `${(value / 1e3).toFixed(1)} k` : String(Math.round(value));
}

export function milliseconds(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
}

export function megabytes(bytes: number): string {
  return Number.isFinite(bytes) ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB` : "–";
}

export function ratio(value: number, of: number): string {
  return Number.isFinite(value / of) ? `${(value / of).toFixed(2)} ×` : "–";
}

/** A Markdown table; the first row is the heading. Figures, in all columns but the first, stand to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const [heading = [], ...body] = rows;
  const widths = heading.map((_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) => {
    const padded = widths.map((width, column) => {
      const cell = cells[column] ?? "";
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(heading), line(rule), ...body.map(line)].join("\n");
}

/** What the figures were measured on, as a line above a table. */
export async function machine(): Promise<string> {
  const info = await Bun.file("/proc/cpuinfo")
    .text()
    .catch(() => "");
  const model = /model name\s*: (.*)/.exec(info)?.[1] ?? process.arch;
  return `${navigator.hardwareConcurrency} × ${model}, Bun ${Bun.version}, load generator on the same machine`;
}

/** One line that is written over while something long runs. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

export function endProgress(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
}
