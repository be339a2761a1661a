/** What a `MorselError` says beyond its message. */
export interface ErrorDetails {
  code: string;
  status?: number | undefined;
  param?: string | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  docUrl?: string | undefined;
  cause?: unknown;
}

/**
 * A request that failed.
 *
 * `code` is stable and meant for programs. The server's codes are in its documentation; `timeout`, `connection_failed`,
 * `invalid_response` and `incomplete_stream` come from this package, without a `status`.
 */
export class MorselError extends Error {
  override readonly name = "MorselError";
  readonly code: string;
  readonly status: number | undefined;
  /** The invalid field of the request. */
  readonly param: string | undefined;
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** How many seconds the server asks to wait. */
  readonly retryAfter: number | undefined;
  /** The page that explains the error. */
  readonly docUrl: string | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, { cause: details.cause });
    this.code = details.code;
    this.status = details.status;
    this.param = details.param;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.docUrl = details.docUrl;
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    if (this.status === undefined) return this.code === "timeout" || this.code === "connection_failed";
    return [408, 409, 429].includes(this.status) || this.status >= 500;
  }
}

/** Returns the error that a response describes. Proxies answer without our JSON. */
export async function errorOfResponse(response: Response): Promise<MorselError> {
  const text = await response.text();
  let body: { error?: string; code?: string; param?: string; request_id?: string } = {};
  try {
    body = Object(JSON.parse(text));
  } catch {
    // The status says what there is to say.
  }
  const seconds = response.headers.get("retry-after") ?? "";
  const help = /<([^>]+)>; rel="help"/.exec(response.headers.get("link") ?? "")?.[1];
  return new MorselError(body.error ?? (response.statusText || "The request failed."), {
    code: body.code ?? "http_error",
    status: response.status,
    param: body.param,
    requestId: body.request_id ?? response.headers.get("x-request-id") ?? undefined,
    retryAfter: /^\d+$/.test(seconds) ? Number(seconds) : undefined,
    docUrl: help === undefined || !response.url ? undefined : new URL(help, response.url).href,
  });
}

/** Returns the error for a request that got no response, or not all of it. */
export function errorOfTransport(cause: unknown, isTimeout: boolean): MorselError {
  if (isTimeout) return new MorselError("The server took too long to respond.", { code: "timeout", cause });
  if (cause instanceof SyntaxError) {
    return new MorselError("The response is not JSON: is this a Morsel server?", { code: "invalid_response", cause });
  }
  // Node hides the reason, such as ECONNREFUSED, in the cause of a “fetch failed”.
  const { message } = (cause as Error).cause instanceof Error ? ((cause as Error).cause as Error) : (cause as Error);
  return new MorselError(`The server cannot be reached: ${message}`, { code: "connection_failed", cause });
}
