// Our own version, from package.json, which the bundler embeds.
import manifest from "../package.json" with { type: "json" };

export const VERSION: string = manifest.version;
