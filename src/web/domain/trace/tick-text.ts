// Times on an axis in few words.
import { formatDuration } from "../../lib/format.ts";

const SECOND = 1e6;

/** A time in microseconds on an axis whose ticks are `stepUs` apart: as many decimals as tell two ticks apart, no more. */
export function tickText(us: number, stepUs: number): string {
  if (us === 0) return "0";
  if (us < 1000 && stepUs < 1000) return `${trimmed(us.toFixed(decimals(stepUs)))} µs`;
  if (us < SECOND && stepUs < SECOND) return `${trimmed((us / 1000).toFixed(decimals(stepUs / 1000)))} ms`;
  if (us < 60 * SECOND) return `${trimmed((us / SECOND).toFixed(decimals(stepUs / SECOND)))} s`;
  if (stepUs < SECOND) {
    const minutes = Math.floor(us / (60 * SECOND));
    return `${minutes} min ${trimmed(((us - minutes * 60 * SECOND) / SECOND).toFixed(decimals(stepUs / SECOND)))} s`;
  }
  return formatDuration(us / 1000);
}

function decimals(step: number): number {
  return step >= 1 ? (Number.isInteger(step) ? 0 : 1) : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
}

function trimmed(decimal: string): string {
  return decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
}
