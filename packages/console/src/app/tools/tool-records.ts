/** Tools and agents, as the control operations list them. */
import type { tools } from '@servicekit/contract/control'

export type ToolAuth = tools.ToolAuth
export type ToolRecord = tools.ToolRecord
export type AgentRecord = tools.AgentRecord
export type QuestionRecord = tools.QuestionRecord
