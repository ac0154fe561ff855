// A mail as its sender writes it; who it comes from is a setting.

export interface Mail {
  /** One address. */
  readonly to: string;
  /** Who gets a copy. */
  readonly cc?: string;
  readonly subject: string;
  readonly html: string;
  /** The same for readers that show no HTML. */
  readonly text: string;
}
