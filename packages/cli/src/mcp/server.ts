import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { explainLine } from '@servicekit/core'
import manifest from '../../package.json' with { type: 'json' }
import { isKnownError } from '../exit-codes.ts'
import type { McpPackages } from '../optional-packages.ts'
import { createContext, type McpOptions } from './context.ts'
import { createRedactor } from './redact.ts'
import type { Tool } from './tool.ts'
import { checkTool } from './tools/check.ts'
import { draftTranslations } from './tools/draft-translations.ts'
import { findKeys } from './tools/find-keys.ts'
import { queryGateway } from './tools/query-gateway.ts'
import { readMessages } from './tools/read-messages.ts'
import { describeSchemas } from './tools/describe-schemas.ts'
import { validateTranslations } from './tools/validate-translations.ts'

const tools: readonly Tool[] = [
  findKeys,
  readMessages,
  validateTranslations,
  draftTranslations,
  checkTool,
  describeSchemas,
  queryGateway,
]

const instructions = `Messages of this application are keys in modules, imported from ~uilm/<module>.
Find a key with find_keys before you add or change text. Translations must keep the placeholders and
tags of the source text; validate_translations lists those that differ. Nothing here publishes: drafts are
reviewed by people. Run check after you edit code.`

/**
 * Creates the MCP server of a project. Connect it to a transport.
 *
 * @param allowWrite Also offers the tools that write drafts.
 */
export function createMcpServer(
  options: McpOptions,
  Server: McpPackages['McpServer'],
  { allowWrite }: { readonly allowWrite: boolean },
): McpServer {
  const context = createContext(options)
  const redact = createRedactor(options.environment)
  const server = new Server(
    { name: 'servicekit', title: 'Servicekit', version: manifest.version },
    { instructions },
  )
  for (const tool of tools.filter(({ writes }) => allowWrite || !writes)) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        outputSchema: tool.output,
        annotations: {
          title: tool.title,
          readOnlyHint: !tool.writes,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: tool.usesNetwork === true,
        },
      },
      async (input: unknown, { signal }: { readonly signal: AbortSignal }) => {
        try {
          const result = redact(await tool.run(input as never, context, signal))
          return {
            content: [{ type: 'text', text: JSON.stringify(result) }],
            structuredContent: result,
          } satisfies CallToolResult
        } catch (error) {
          return failure(redact(textOf(error)))
        }
      },
    )
  }
  return server
}

const failure = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
})

/** Returns the message of an error. An unexpected one has no stack, which contains paths. */
function textOf(error: unknown): string {
  if (isKnownError(error)) return `${error.message}\n${explainLine(error.code)}`
  return error instanceof Error ? error.message : String(error)
}
