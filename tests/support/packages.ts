// Programs of the operating system that tests need, installed where that is a matter of one command: as root on Debian and its like.

/** Resolves to the reason why not, or null. `name` is that of the package, `what` the program as people call it. */
export async function installPackage(name: string, what: string, missing: () => string | null): Promise<string | null> {
  if (missing() === null) return null;
  if (process.getuid?.() !== 0 || Bun.which("apt-get") === null) return missing();
  const run = async (...command: string[]) => {
    const child = Bun.spawn(command, {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
    });
    return (await child.exited) === 0;
  };
  // Where the archive cannot be reached, that is known soon.
  const network = ["-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=0"];
  const options = ["-qq", "-y", "--no-install-recommends", ...network];
  const installed =
    (await run("apt-get", "-qq", ...network, "update")) && (await run("apt-get", "install", ...options, name));
  return installed ? missing() : `${what} could not be installed by apt-get`;
}
