/**
 * Plugin for ESLint and oxlint. It does not load the TypeScript parser that `check` needs.
 */
import manifest from '../package.json' with { type: 'json' }
import { noConcatenatedMessages } from './lint/concatenated-messages.ts'
import { noHardcodedText } from './lint/hardcoded-text.ts'
import { noMissingParameters } from './lint/missing-parameters.ts'
import type { Rule } from './lint/rule.ts'
import { createSnapshots } from './lint/snapshot.ts'
import { noUnknownKey } from './lint/unknown-key.ts'

/** Names of the rules, without the prefix `servicekit/`. */
export type LintRule =
  | 'no-concatenated-messages'
  | 'no-hardcoded-text'
  | 'no-missing-parameters'
  | 'no-unknown-key'

/** Plugin as ESLint and oxlint read it. */
export interface LintPlugin {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- the types of ESLint and oxlint differ
  readonly rules: Record<LintRule, any>
  readonly configs: { readonly recommended: LintConfig }
}

/** Entry of a flat config. */
export interface LintConfig {
  readonly name: string
  readonly plugins: { readonly servicekit: LintPlugin }
  readonly rules: Record<`servicekit/${LintRule}`, 'error' | 'warn'>
}

function createPlugin(): LintPlugin {
  const snapshots = createSnapshots()
  const rules: Record<LintRule, Rule> = {
    'no-concatenated-messages': noConcatenatedMessages(snapshots),
    'no-hardcoded-text': noHardcodedText(snapshots),
    'no-missing-parameters': noMissingParameters(snapshots),
    'no-unknown-key': noUnknownKey(snapshots),
  }
  const plugin: LintPlugin = {
    // oxlint derives the prefix of the rules from the name.
    meta: { name: 'servicekit', version: manifest.version, namespace: 'servicekit' },
    rules,
    configs: {
      recommended: {
        name: 'servicekit/recommended',
        // The plugin refers to itself, so that one line in the config is enough.
        get plugins() {
          return { servicekit: plugin }
        },
        rules: {
          'servicekit/no-concatenated-messages': 'error',
          'servicekit/no-hardcoded-text': 'warn',
          'servicekit/no-missing-parameters': 'error',
          'servicekit/no-unknown-key': 'error',
        },
      },
    },
  }
  return plugin
}

/**
 * ```js
 * import servicekit from '@servicekit/check/eslint'
 * export default [servicekit.configs.recommended]
 * ```
 */
const servicekit: LintPlugin = createPlugin()
// oxlint-disable-next-line import/no-default-export -- ESLint and oxlint read the default export
export default servicekit
