import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: [
    'src/auth.ts',
    'src/blobs-browser.ts',
    'src/blobs-fetch.ts',
    'src/blobs-undici.ts',
    'src/data.ts',
    'src/iam.ts',
    'src/identity.ts',
    'src/index.ts',
    'src/knowledge.ts',
    'src/localization.ts',
    'src/message-lean.ts',
    'src/message.ts',
    'src/opentelemetry.ts',
    'src/server.ts',
    'src/storage.ts',
    'src/testing.ts',
    'src/tools.ts',
    'src/translation.ts',
    'src/transport-browser.ts',
    'src/transport-fetch.ts',
    'src/transport-undici.ts',
    'src/webhooks.ts',
    'src/words.ts',
    'src/words-lean.ts',
  ],
  fixedExtension: false,
  dts: true,
  // Nothing of another package may end up in this one.
  deps: { onlyBundle: [] },
})
