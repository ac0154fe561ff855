// The child processes of a running service, for tests that end one of them.
import { readFile } from "node:fs/promises";

/** Process ids of the children of `pid`. */
export async function childProcesses(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => null);
  return (listed ?? (await listedByPs(pid))).split(/\s+/).filter(Boolean).map(Number);
}

/** Where there is no /proc. */
async function listedByPs(pid: number): Promise<string> {
  const lines = await Bun.$`ps -A -o pid=,ppid=`.text();
  return lines
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent]) => parent === String(pid))
    .map(([child]) => child)
    .join(" ");
}
