import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/preset.ts', 'src/loader.ts'],
  fixedExtension: false,
  dts: true,
})
