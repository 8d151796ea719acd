import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: [
    'src/data.ts',
    'src/index.ts',
    'src/localization.ts',
    'src/transport-fetch.ts',
    'src/transport-undici.ts',
  ],
  fixedExtension: false,
  dts: true,
  // Nothing of another package may end up in this one.
  deps: { onlyBundle: [] },
})
