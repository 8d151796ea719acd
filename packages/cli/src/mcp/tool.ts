import type { z } from 'zod'
import type { McpContext } from './context.ts'

/** Tool of the MCP server. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** Writes drafts; only offered with `--allow-write`. */
  readonly writes?: boolean
  /** Sends requests to the service. */
  readonly usesNetwork?: boolean
  /**
   * @throws ServicekitError with a message for the agent.
   */
  readonly run: (
    input: never,
    context: McpContext,
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, unknown>>>
}

/** Creates a tool whose input and output have the types of its schemas. */
export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: Input
    readonly output: Output
    readonly run: (
      input: z.output<Input>,
      context: McpContext,
      signal: AbortSignal,
    ) => Promise<z.input<Output>>
  },
): Tool => tool
