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
  const minutes = ticksTo(Math.max(...points.map(([x]) => x), 1e-9))
  const maxX = Math.max(...points.map(([x]) => x), 1e-9)
  const ys = points.map(([, y]) => y)
  const values = isLogarithmic ? powersAround(ys) : ticksTo(Math.max(...ys, 1))
  const [minY = 0] = values
  const maxY = Math.max(...values, ...(isLogarithmic ? [] : ys))
  const scale = (/** @type {number} */ y) =>
    isLogarithmic ? Math.log(Math.max(y, minY) / minY) / Math.log(maxY / minY) : y / maxY
  const xOf = (/** @type {number} */ x) => area.left + (x / maxX) * (area.right - area.left)
  const yOf = (/** @type {number} */ y) => area.bottom - scale(y) * (area.bottom - area.top)
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
    ...values.flatMap((value) => {
      const y = yOf(value).toFixed(1)
      return [
        `<line class="axis" x1="${area.left}" x2="${area.right}" y1="${y}" y2="${y}"/>`,
        `<text x="${area.left - 8}" y="${Number(y) + 4}" text-anchor="end">${value}</text>`,
      ]
    }),
    ...minutes.map((value) => {
      const x = Math.min(xOf(value), width - 24).toFixed(1)
      return `<text x="${x}" y="${area.bottom + 20}" text-anchor="middle">${value} min</text>`
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

/** Returns round numbers from 0 to at most `max`, about five. @param {number} max */
function ticksTo(max) {
  const power = 10 ** Math.floor(Math.log10(max / 4))
  const step = power * ([1, 2, 5].findLast((factor) => factor * power <= max / 4) ?? 1)
  const count = Math.floor(max / step + 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)))
}

/** Returns the powers of ten that enclose the values, from 1. @param {readonly number[]} values */
function powersAround(values) {
  const first = Math.max(0, Math.floor(Math.log10(Math.max(1, Math.min(...values)))))
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(1, ...values))))
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
}
