// A worker that steps back and tells its niceness (priority.test.ts).
import { readFileSync } from "node:fs";
import { lowerThreadPriority } from "../../src/kernel/priority.ts";

lowerThreadPriority();
self.postMessage(Number(readFileSync("/proc/thread-self/stat", "utf8").split(") ").at(-1)!.split(" ")[16]));
