// The Dockerfile without an engine: what runs, as whom, and what it may write.
import { describe, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { DockerfileParser, type Instruction } from "dockerfile-ast";
import { settingGroupsWith } from "../../src/config/catalogue.ts";
import { featureSettings } from "../../src/server/features.ts";

const text = await Bun.file("docker/Dockerfile").text();
const lines = text.split("\n");
const dockerfile = DockerfileParser.parse(text);
const instructions = dockerfile.getInstructions();

/** What follows the keyword, flags included. */
function textOf(instruction: Instruction): string {
  const { start, end } = instruction.getRange();
  return lines
    .slice(start.line, end.line + 1)
    .map((line) => line.replace(/\\$/, "").trim())
    .join(" ")
    .slice(instruction.getKeyword().length + 1);
}
/** Those of the last stage, which is the image. */
const image = instructions.slice(instructions.findLastIndex((instruction) => instruction.getKeyword() === "FROM"));
const namedLast = (keyword: string) => image.filter((instruction) => instruction.getKeyword() === keyword).map(textOf);
const only = (keyword: string): string => {
  const found = namedLast(keyword);
  expect({ keyword, times: found.length }).toEqual({ keyword, times: 1 });
  return found[0]!;
};
const environment = new Map(
  dockerfile
    .getENVs()
    .flatMap((variables) => variables.getProperties())
    .map((property) => [property.getName(), property.getValue()] as const),
);

describe("the image", () => {
  test("is made of named versions, never of the newest", () => {
    const stages = dockerfile.getFROMs();
    const built = new Set(stages.map((stage) => stage.getBuildStage()));
    const images = stages.map((stage) => stage.getImage() ?? "").filter((name) => !built.has(name));
    expect(images.length).toBe(2);
    for (const name of images) {
      const [, tag = "latest"] = /:([^/:]+)$/.exec(name) ?? [];
      expect({ name, isNamed: !/^(latest|stable|edge)$/.test(tag) }).toEqual({ name, isNamed: true });
    }
  });

  test("runs as a user by number, who is not root and has no rights", () => {
    const [, user = "", group = ""] = /^(\d+):(\d+)$/.exec(only("USER")) ?? [];
    expect(Number(user)).toBeGreaterThan(0);
    expect(Number(group)).toBeGreaterThan(0);
    const keywords = image.map((instruction) => instruction.getKeyword());
    // Nothing runs in it while it is built, and what it has is from the stage before.
    expect(keywords.filter((keyword) => ["RUN", "ADD", "SHELL", "ONBUILD"].includes(keyword))).toEqual([]);
    expect(keywords.lastIndexOf("USER")).toBeLessThan(keywords.indexOf("ENTRYPOINT"));
    for (const copied of namedLast("COPY")) expect(copied).toStartWith("--from=build ");
  });

  test("writes to its volume alone, which belongs to that user", () => {
    const volume = only("VOLUME");
    expect(environment.get("SERVICE_WORKING_DIR")).toBe(volume);
    // Files that are being uploaded take the disk, not memory.
    expect(environment.get("TMPDIR")).toBe(volume);
    const copied = namedLast("COPY").filter((copy) => copy.endsWith(` ${volume}`));
    expect(copied).toEqual([expect.stringContaining(`--chown=${only("USER")} `)]);
  });

  test("says whether it is healthy, without a shell", async () => {
    const check = only("HEALTHCHECK");
    const [, command = "[]"] = /CMD (\[.*\])$/.exec(check) ?? [];
    const entry = JSON.parse(only("ENTRYPOINT"));
    expect(JSON.parse(command)).toEqual([...entry, "healthcheck"]);
    expect(JSON.parse(only("CMD"))).toEqual(["serve"]);
    expect(check).toMatch(/--interval=\d+s .*--timeout=\d+s .*--start-period=\d+s .*--retries=\d+/);
    expect(only("STOPSIGNAL")).toBe("SIGTERM");
  });

  test("sets only what the service knows, and no secret", () => {
    const known = new Map(
      settingGroupsWith(featureSettings).flatMap(({ settings }) => settings.map((each) => [each.name, each] as const)),
    );
    for (const name of environment.keys()) {
      expect({
        name,
        isKnown: known.has(name) || name === "TMPDIR",
        isSecret: known.get(name)?.secret ?? false,
      }).toEqual({
        name,
        isKnown: true,
        isSecret: false,
      });
    }
    const ports = ["SERVICE_PORT", "SERVICE_GRPC_PORT"].map((name) => String(known.get(name)?.default));
    expect(only("EXPOSE").split(" ")).toEqual(ports);
  });

  test("has its own licence and those of the packages in it", () => {
    const documents = namedLast("COPY").filter((copy) => copy.endsWith(" /usr/share/doc/spanlight/"));
    expect(documents).toEqual([
      "--from=build /build/LICENSE /build/dist/third-party-licenses.txt /usr/share/doc/spanlight/",
    ]);
    const built = instructions.filter((each) => each.getKeyword() === "RUN").map(textOf);
    expect(built.join("\n")).toContain("dist/spanlight licenses > dist/third-party-licenses.txt");
  });

  test("is built from what is there, and of nothing else", async () => {
    const ignored = (await Bun.file("docker/Dockerfile.dockerignore").text()).split("\n");
    expect(ignored.find((line) => line !== "" && !line.startsWith("#"))).toBe("*");
    const taken = ignored.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    for (const path of taken) expect({ path, isThere: await isThere(path) }).toEqual({ path, isThere: true });
    const copied = instructions
      .filter((each) => each.getKeyword() === "COPY" && !textOf(each).includes("--from="))
      .flatMap((each) => each.getArguments().slice(0, -1))
      .map((argument) => argument.getValue());
    for (const path of copied)
      expect({ path, isTaken: path === "." || taken.includes(path) }).toEqual({ path, isTaken: true });
  });
});

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
