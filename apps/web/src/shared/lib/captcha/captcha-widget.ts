/** A provider's widget on the page. */
export interface CaptchaWidget {
  /** The token of a person who has shown to be one; undefined as long as that takes longer. Good for one call: the widget starts over. */
  readonly take: () => Promise<string | undefined>;
}

/** An option of the auth client's calls; empty where no captcha is asked for. */
export interface CaptchaOption {
  readonly captchaToken?: string;
}
