// How much memory a running service takes.
import { readFile } from "node:fs/promises";

/** Megabytes that are resident now, and the most that ever were (the same figure where the system keeps no record). */
export async function residentMegabytes(pid: number): Promise<{ readonly now: number; readonly most: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => null);
  if (status === null) {
    const now = Number(await Bun.$`ps -o rss= -p ${pid}`.text()) / 1024;
    return { now, most: now };
  }
  const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { now: figure("VmRSS"), most: figure("VmHWM") };
}
