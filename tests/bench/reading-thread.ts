// The thread that reads pages while something else goes on: beside the senders it would measure their turns of the event loop.
import { type Page, readPage } from "./reading.ts";

const PAUSE_MS = 15;

declare const self: Worker;

let stopping = false;
self.onmessage = async ({ data }: MessageEvent<{ url: string; asked: readonly Page[] } | "stop">) => {
  if (data === "stop") {
    stopping = true;
    return;
  }
  const latencies: number[] = [];
  for (let number = 0; !stopping && data.asked.length > 0; number++) {
    latencies.push(await readPage(data.url, data.asked[number % data.asked.length]!.path));
    await Bun.sleep(PAUSE_MS);
  }
  self.postMessage(latencies);
};
