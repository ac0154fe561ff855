// Servers that tests start as processes of their own: they and their folder go away with the tests, however those end.
import { rm } from "node:fs/promises";

// Waits until the tests close the pipe by ending, and takes down what they could not.
const GUARD = `
trap '' INT TERM HUP
cat > /dev/null
kill -KILL "$1" 2> /dev/null
rm -rf "$2"
`;

/** Resolves when the process has ended and its folder is removed. */
export function guardProcess(child: Bun.Subprocess, folder: string): Promise<void> {
  const guard = Bun.spawn(["sh", "-c", GUARD, "guard", String(child.pid), folder], { stdin: "pipe" });
  guard.unref();
  return child.exited.then(async () => {
    guard.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });
}
