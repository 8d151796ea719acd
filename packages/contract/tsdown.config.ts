import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/routes.ts', 'src/openapi.ts'],
  fixedExtension: false,
  dts: true,
})
