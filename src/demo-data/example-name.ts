// By these the pages and the command line know the example project again.

export const EXAMPLE_PROJECT = "example-support-agent";
export const EXAMPLE_DESCRIPTION = "Made-up traces to look around in. Nothing here is real.";
