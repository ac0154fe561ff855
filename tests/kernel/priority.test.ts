import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

/** Of the thread that asks. */
function niceness(): number {
  return Number(readFileSync("/proc/thread-self/stat", "utf8").split(") ").at(-1)!.split(" ")[16]);
}

test.if(process.platform === "linux")("a worker that steps back leaves the other threads alone", async () => {
  const before = niceness();
  const worker = new Worker(new URL("./priority-worker.ts", import.meta.url));
  const inWorker = await new Promise<number>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
  });
  worker.terminate();
  expect(inWorker).toBe(Math.min(19, before + 10));
  expect(niceness()).toBe(before);
});
