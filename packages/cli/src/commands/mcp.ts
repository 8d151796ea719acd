import { resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { hookFlag, projectFlags, projectOptions } from '../flags.ts'
import { createMcpServer } from '../mcp/server.ts'
import { loadMcp } from '../optional-packages.ts'
import { readConfig } from '../read-config.ts'

/** `servicekit mcp`: gives agents access to messages, checks and data over stdio. */
export const mcp = defineCommand({
  description: 'Run a Model Context Protocol server for agents on stdin and stdout',
  flags: {
    ...projectFlags,
    sources: {
      type: 'list',
      valueHint: 'DIRS',
      description: 'Source folders, e.g. src,lib (default: check.sources, then the whole root)',
    },
    hook: hookFlag,
    'allow-write': {
      type: 'boolean',
      description: 'Also offer the tools that write, always as drafts',
    },
    out: {
      type: 'string',
      valueHint: 'FILE',
      description: 'JSON file for drafts (default: the drafts of the local platform)',
    },
    'max-rows': {
      type: 'integer',
      range: [1, 1000],
      valueHint: 'N',
      description: 'Maximum number of rows of one query (default: 100)',
    },
  },
  async run(flags, io) {
    const config = await readConfig(flags.root)
    const path = (given: string): string => resolve(flags.root ?? '.', given)
    const { McpServer, StdioServerTransport, ...packages } = await loadMcp()
    const server = createMcpServer(
      {
        config,
        service: projectOptions(flags),
        packages,
        sources: flags.sources?.map(path),
        hooks: flags.hook,
        out: flags.out && path(flags.out),
        maxRows: flags['max-rows'] ?? 100,
        environment: process.env,
        signal: io.signal,
      },
      McpServer,
      { allowWrite: flags['allow-write'] === true },
    )
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- The SDK has only this property.
    const closed = new Promise<void>((end) => (server.server.onclose = end))
    // The client closes the input to stop the server.
    process.stdin.once('end', () => void server.close())
    io.signal.addEventListener('abort', () => void server.close(), { once: true })
    await server.connect(new StdioServerTransport())
    await closed
    return exitCode.ok
  },
})
