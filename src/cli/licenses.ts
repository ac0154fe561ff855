// `spanlight licenses`: prints the licences of everything that the program is made of.
import { VERSION } from "../version.ts";
import { licenseTexts } from "./license-texts.ts" with { type: "macro" };

/** Status 0. */
export async function runLicenses(): Promise<number> {
  await Bun.write(
    Bun.stdout,
    `Spanlight ${VERSION} (Apache-2.0) contains the packages below, each under its own licence.

The binary also contains the runtime Bun ${Bun.version} (MIT, Copyright (c) Oven), which links JavaScriptCore of WebKit (LGPL-2) and other
libraries: https://bun.com/docs/project/licensing names them, and how to build Bun with another JavaScriptCore.

${licenseTexts()}`,
  );
  return 0;
}
