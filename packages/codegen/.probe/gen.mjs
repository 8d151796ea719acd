import { generate } from '../dist/index.js'
const r = await generate({ listing: '../../../fixtures/projects/storefront/schemas.json', outDir: 'gw', queryOptions: true, validators: true, factories: true })
console.log(r.written.length, r.problems)
const r2 = await generate({ listing: '../../../fixtures/projects/storefront/schemas.json', outDir: 'gwjs', output: 'js', queryOptions: true, validators: true, factories: true })
