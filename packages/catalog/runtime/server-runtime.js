// Runtime of a server, whose messages follow the localizers of all copies of the runtime.
import { joinLocalizers } from './localizer.js'

export * from './page-runtime.js'
joinLocalizers()
