import type { Receiver } from './receiver.ts'

/** Parts of a platform that the console uses. */
export interface ConsolePlatform<Bindings> {
  /** Origins of object storage, to which the console uploads files. */
  readonly storageOrigins: readonly string[]
  readonly fetch: (request: Request, bindings?: Bindings) => Promise<Response>
  /** Logs a request, handles it with `handler`, and responds to its errors. */
  readonly handle: (
    request: Request,
    bindings: Bindings | undefined,
    handler: () => Promise<Response>,
  ) => Promise<Response>
  /** Returns true if the control operations are open to the sender without a token. */
  readonly isControlOpen: (request: Request, bindings?: Bindings) => boolean
}

/** Options of the console. */
export interface ConsoleOptions {
  /**
   * Offers what only a developer on this machine needs: a receiver of webhooks, and frames with
   * applications of this machine. False by default.
   */
  readonly allowThisMachine?: boolean | undefined
  /** Public URL of the platform; the origin of each request by default. */
  readonly publicUrl?: string | undefined
}

/** Request for the console, with the parts that handle it. */
export interface ConsoleCall<Bindings = unknown> {
  readonly platform: ConsolePlatform<Bindings>
  readonly options: ConsoleOptions
  readonly request: Request
  readonly bindings: Bindings | undefined
  readonly url: URL
  /** Origin of the console in the browser. */
  readonly origin: string
  readonly receiver: Receiver
}
