// What the kernel says of a process and everything it started: processor time, memory, bytes written (Linux only).
import { readdir, readFile } from "node:fs/promises";

/** Clock ticks a second in /proc; the same on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;
const SAMPLE_MS = 100;

const read = (path: string) => readFile(path, "utf8").catch(() => "");

/** The process and its living descendants. */
export async function processTree(pid: number): Promise<number[]> {
  const found = [pid];
  for (const task of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const children = await read(`/proc/${pid}/task/${task}/children`);
    for (const child of children.split(" ").filter(Boolean)) found.push(...(await processTree(Number(child))));
  }
  return found;
}

/** Seconds of processor time, in user and kernel mode, of the process, its living children and those that have ended. */
export async function cpuSeconds(pid: number): Promise<number> {
  let ticks = 0;
  for (const member of await processTree(pid)) {
    const stat = await read(`/proc/${member}/stat`);
    // The name in parentheses may hold blanks: fields are counted behind it. utime, stime, cutime, cstime.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    ticks += [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
  }
  return ticks / TICKS_PER_SECOND;
}

/** Seconds of processor time of each living thread of the process, in the order of their start; those that an engine makes for itself
 *  go by its names. */
export async function threadSeconds(pid: number): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  const threads = (await readdir(`/proc/${pid}/task`).catch(() => [])).map(Number).sort((one, other) => one - other);
  for (const thread of threads) {
    const stat = await read(`/proc/${pid}/task/${thread}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const name = thread === pid ? "main" : stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    seconds.set(`${name} ${thread}`, (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND);
  }
  return seconds;
}

/** Bytes that the process and its children caused to be sent to the disk. */
export async function bytesWritten(pid: number): Promise<number> {
  let bytes = 0;
  for (const member of await processTree(pid)) {
    bytes += Number(/^write_bytes: (\d+)/m.exec(await read(`/proc/${member}/io`))?.[1] ?? 0);
  }
  return bytes;
}

export interface Memory {
  /** Bytes resident, pages shared between the processes counted in each. */
  readonly rss: number;
  /** The same with shared pages divided among those that share them. */
  readonly pss: number;
}

export async function memoryOf(pid: number): Promise<Memory> {
  let [rss, pss] = [0, 0];
  for (const member of await processTree(pid)) {
    const rollup = await read(`/proc/${member}/smaps_rollup`);
    rss += Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
    pss += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
  }
  return { rss, pss };
}

/** Watches resident memory, cheaply, until it is asked for the highest sum seen. */
export function watchMemory(pid: number): { peakRss(): number } {
  let peak = 0;
  const timer = setInterval(async () => {
    let pages = 0;
    for (const member of await processTree(pid)) {
      pages += Number((await read(`/proc/${member}/statm`)).split(" ")[1] ?? 0);
    }
    peak = Math.max(peak, pages * PAGE_BYTES);
  }, SAMPLE_MS);
  return {
    peakRss() {
      clearInterval(timer);
      return peak;
    },
  };
}
