/** Tools and agents, as the control routes list them. */

export type ToolAuth =
  | { readonly type: 'none' }
  | { readonly type: 'apiKey'; readonly headerKey: string }
  | {
      readonly type: 'oauth2'
      readonly grantType: 'AUTHORIZATION_CODE' | 'CLIENT_CREDENTIALS'
      readonly authorizationUrl?: string
      readonly tokenUrl?: string
      readonly clientId?: string
      /** `***` in a listing; sent back, it keeps the secret. */
      readonly clientSecret?: string
      readonly redirectUri?: string
      readonly scopes?: readonly string[]
    }

export interface ToolRecord {
  readonly itemId: string
  readonly name: string
  readonly description: string
  readonly auth: ToolAuth
  readonly tutorial: Readonly<Record<string, unknown>> | null
  readonly agentCount: number
  /** Consent of a user; null if there is none. */
  readonly connection: { readonly scope: string | null; readonly expiresAt: string | null } | null
}

export interface AgentRecord {
  readonly itemId: string
  readonly name: string
  readonly status: 'active' | 'inactive' | 'testing'
  readonly toolIds: readonly string[]
}

export interface QuestionRecord {
  readonly id: number
  readonly agentId: string
  readonly question: string
  readonly answer: string
  readonly createdAt: string
}
