// Lengths of time in few words, and times on an axis.

const SECOND = 1e6;

/** `0.4 ms`, `412 ms`, `6.2 s`, `3 m 20 s`, `2 h 5 m`, `3 d 4 h`: three figures are enough to compare. */
export function durationText(us: number): string {
  if (!Number.isFinite(us)) return "";
  if (us < 0) return `−${durationText(-us)}`;
  if (us < 1000) return us === 0 ? "0 ms" : us < 1 ? "0 µs" : `${Math.round(us)} µs`;
  if (us < 9950) return `${(us / 1000).toFixed(1)} ms`;
  if (us < 999_500) return `${Math.round(us / 1000)} ms`;
  if (us < 9.995 * SECOND) return `${trimmed((us / SECOND).toFixed(2))} s`;
  if (us < 59.95 * SECOND) return `${trimmed((us / SECOND).toFixed(1))} s`;
  const seconds = Math.round(us / SECOND);
  if (seconds < 3600) return pair(Math.floor(seconds / 60), "m", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return pair(Math.floor(minutes / 60), "h", minutes % 60, "m");
  const hours = Math.round(minutes / 60);
  return pair(Math.floor(hours / 24), "d", hours % 24, "h");
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

function trimmed(decimal: string): string {
  return decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
}

/** A time on an axis whose ticks are `stepUs` apart: as many decimals as tell two ticks apart, no more. */
export function tickText(us: number, stepUs: number): string {
  if (us === 0) return "0";
  if (us < 1000 && stepUs < 1000) return `${trimmed(us.toFixed(decimals(stepUs)))} µs`;
  if (us < SECOND && stepUs < SECOND) return `${trimmed((us / 1000).toFixed(decimals(stepUs / 1000)))} ms`;
  if (us < 60 * SECOND) return `${trimmed((us / SECOND).toFixed(decimals(stepUs / SECOND)))} s`;
  if (stepUs < SECOND) {
    const minutes = Math.floor(us / (60 * SECOND));
    return `${minutes} m ${trimmed(((us - minutes * 60 * SECOND) / SECOND).toFixed(decimals(stepUs / SECOND)))} s`;
  }
  return durationText(us);
}

function decimals(step: number): number {
  return step >= 1 ? (Number.isInteger(step) ? 0 : 1) : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
}
