/**
 * @typedef {object} Picture
 * @property {string} title
 * @property {string} unit of the vertical axis; the horizontal one has minutes
 * @property {boolean} [isLogarithmic]
 * @property {readonly { readonly label: string, readonly points: readonly (readonly [x: number, y: number])[] }[]} lines
 */

const [width, height] = [760, 300]
const area = { left: 64, top: 40, right: width - 16, bottom: height - 40 }
const colours = [
  ['#0550ae', '#79c0ff'],
  ['#bc4c00', '#ffa657'],
  ['#8250df', '#d2a8ff'],
]

/** Draws lines as an SVG that follows the light or dark appearance. @param {Picture} picture */
export function plot({ title, unit, isLogarithmic = false, lines }) {
  const points = lines.flatMap(({ points }) => points)
  const maxX = Math.max(...points.map(([x]) => x), 1e-9)
  const maxY = Math.max(...points.map(([, y]) => y), 1)
  const minY = isLogarithmic ? Math.max(0.1, Math.min(...points.map(([, y]) => y))) : 0
  const scale = (/** @type {number} */ y) =>
    isLogarithmic
      ? Math.log(Math.max(y, minY) / minY) / Math.log(Math.max(maxY / minY, 1.01))
      : y / maxY
  const xOf = (/** @type {number} */ x) => area.left + (x / maxX) * (area.right - area.left)
  const yOf = (/** @type {number} */ y) => area.bottom - scale(y) * (area.bottom - area.top)
  const ticks = [0, 0.25, 0.5, 0.75, 1]
  const valueAt = (/** @type {number} */ part) =>
    isLogarithmic ? minY * (maxY / minY) ** part : part * maxY
  const style = [
    'text { font: 13px system-ui, sans-serif; fill: #1f2328 }',
    '.axis { stroke: #d1d9e0 }',
    ...colours.map(([light], index) => `.line-${index} { stroke: ${light} }`),
    '@media (prefers-color-scheme: dark) {',
    'text { fill: #f0f6fc } .axis { stroke: #3d444d }',
    ...colours.map(([, dark], index) => `.line-${index} { stroke: ${dark} }`),
    '}',
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<style>${style.join(' ')}</style>`,
    `<text x="${area.left}" y="20" font-weight="600">${title} (${unit})</text>`,
    ...ticks.flatMap((part) => {
      const y = yOf(valueAt(part)).toFixed(1)
      const x = xOf(part * maxX).toFixed(1)
      return [
        `<line class="axis" x1="${area.left}" x2="${area.right}" y1="${y}" y2="${y}"/>`,
        `<text x="${area.left - 8}" y="${Number(y) + 4}" text-anchor="end">${short(valueAt(part))}</text>`,
        `<text x="${x}" y="${area.bottom + 20}" text-anchor="middle">${short(part * maxX)} min</text>`,
      ]
    }),
    ...lines.flatMap(({ label, points }, index) => {
      const x = area.right - (lines.length - index) * 110
      const path = points.map(([x, y]) => `${xOf(x).toFixed(1)},${yOf(y).toFixed(1)}`).join(' ')
      return [
        `<polyline class="line-${index}" fill="none" stroke-width="1.5" points="${path}"/>`,
        `<line class="line-${index}" stroke-width="3" x1="${x}" x2="${x + 20}" y1="16" y2="16"/>`,
        `<text x="${x + 26}" y="20">${label}</text>`,
      ]
    }),
    '</svg>\n',
  ].join('\n')
}

/** @param {number} value */
const short = (value) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(2)))
