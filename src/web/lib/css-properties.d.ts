// Styles of an element may set custom properties, which its style sheet reads.
import "react";

declare module "react" {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
