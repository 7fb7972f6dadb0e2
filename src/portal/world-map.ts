/** Small maps without tiles: a hand-drawn world in plate carrée (x = longitude, y = −latitude) and boxes on it. */
import { html, raw } from 'hono/html';
import type { BoxValue } from '../core/model.ts';
import { boxText } from './field-text.ts';
import type { Html } from './page.ts';

/** Coasts, drawn by eye to a few degrees: enough to know where a box lies. `lon lat` pairs, one land per line. */
const LANDS = `
-168 66 -156 71 -141 70 -128 70 -115 68 -108 68 -95 69 -90 72 -82 68 -86 64 -94 59 -88 57 -82 55 -80 51 -79 55 -77 57 -78 62 -72 62 -65 59 -61 56 -56 52 -60 50 -66 50 -65 48 -61 46 -65 44 -70 43 -74 40 -76 37 -76 35 -81 31 -80 26 -82 27 -84 30 -90 30 -94 29 -97 27 -97 22 -95 18 -91 18 -90 21 -87 21 -88 16 -83 15 -83 10 -79 9 -81 8 -85 10 -91 14 -96 16 -105 20 -109 25 -113 31 -114 30 -110 24 -115 29 -117 33 -121 35 -124 40 -124 47 -128 51 -134 58 -146 61 -152 59 -160 55 -158 58 -165 61 -166 64
-45 60 -52 65 -54 70 -60 76 -68 77 -60 82 -35 83 -20 81 -18 76 -22 71 -32 68 -40 65
-80 73 -70 70 -62 66 -66 62 -78 65
-90 77 -78 76 -62 82 -75 83 -95 80
-117 73 -105 73 -103 69 -115 69
-79 9 -72 12 -62 10 -57 6 -51 4 -50 0 -44 -3 -35 -6 -38 -13 -40 -21 -48 -27 -54 -34 -58 -37 -62 -39 -65 -43 -67 -48 -69 -52 -72 -54 -75 -50 -73 -40 -71 -30 -70 -19 -76 -14 -81 -5 -80 0 -78 3
-85 22 -80 23 -75 20
-6 36 10 37 11 33 20 31 25 32 32 31 34 27 37 21 40 15 43 12 51 12 48 5 42 -2 39 -6 41 -15 35 -21 33 -27 28 -33 20 -35 18 -32 14 -22 12 -16 14 -8 9 -1 9 4 4 6 -4 5 -8 4 -13 8 -17 14 -17 21 -13 28 -10 31
44 -25 43 -21 44 -17 49 -12 50 -16 47 -25
-9 37 -9 43 -2 43 -1 46 -4 48 2 51 8 54 8 57 11 56 12 54 20 55 24 58 29 60 22 60 22 63 25 65 21 65 17 61 18 60 16 57 13 55 11 59 6 58 5 62 12 66 19 70 28 71 40 67 44 68 54 69 68 69 73 73 80 73 88 75 104 78 114 74 130 71 140 72 160 70 180 69 180 65 177 62 163 60 162 56 157 51 156 57 162 61 155 59 142 59 135 55 141 53 140 48 132 43 128 40 129 36 126 35 125 39 121 39 118 39 122 37 119 35 122 31 121 28 117 23 110 21 106 19 109 12 105 9 100 13 103 5 103 1 100 6 98 10 98 16 94 16 91 22 87 21 80 15 80 11 77 8 73 17 72 21 67 25 57 26 50 30 48 30 52 24 56 26 59 22 55 17 45 13 43 13 39 21 35 28 36 36 30 36 27 37 26 40 29 41 41 41 37 45 33 45 30 46 28 43 26 40 23 40 23 37 21 37 19 41 13 45 16 41 18 40 16 38 12 42 9 44 3 43 0 39 -2 37 -5 36
-5 50 1 51 0 53 -2 56 -3 58 -6 57 -3 54 -5 52
-10 52 -6 52 -6 55 -9 54
-22 64 -14 65 -16 66 -23 66
12 79 25 80 20 77
52 71 58 71 68 77 56 74
131 31 136 34 140 35 142 40 145 43 142 45 140 42 139 38 133 35 130 33
121 18 124 12 126 7 122 8 120 15
95 5 104 -2 106 -6 102 -4
105 -7 108 -6 114 -8
109 1 117 7 119 5 116 -4 110 -3
131 -1 141 -3 150 -10 143 -9 138 -8
114 -22 122 -18 130 -12 136 -12 136 -15 140 -17 142 -11 146 -19 153 -26 150 -37 146 -39 140 -38 136 -34 131 -31 124 -33 115 -34
173 -35 178 -38 175 -41 168 -47 167 -45 172 -41
-180 -78 -160 -77 -130 -74 -100 -73 -75 -72 -60 -64 -60 -74 -40 -78 -20 -72 0 -70 30 -69 60 -67 90 -66 120 -66 145 -67 170 -71 165 -77 180 -78 180 -90 -180 -90
`;

function landPath(): string {
  return LANDS.trim()
    .split('\n')
    .map((line) => {
      const numbers = line.split(' ').map(Number);
      const points: string[] = [];
      for (let i = 0; i + 1 < numbers.length; i += 2) points.push(`${numbers[i]} ${-(numbers[i + 1] ?? 0)}`);
      return `M${points.join('L')}Z`;
    })
    .join('');
}

function graticulePath(): string {
  let path = '';
  for (let x = -150; x < 180; x += 30) path += `M${x}-90V90`;
  for (let y = -60; y < 90; y += 30) path += `M-180 ${y}H180`;
  return path;
}

/** Stands once on a page that has maps; the maps refer to it. */
export const WORLD_SYMBOL: Html = raw(
  '<svg width="0" height="0" class="offstage" aria-hidden="true" focusable="false"><symbol id="world" viewBox="-180 -90 360 180">' +
    '<rect class="sea" x="-180" y="-90" width="360" height="180"/>' +
    `<path class="land" d="${landPath()}"/><path class="grid" d="${graticulePath()}"/></symbol></svg>`,
);

/** Smaller boxes are drawn this large, in degrees, or nobody would see them. */
const LEAST_SIDE = 5;

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A box over the antimeridian becomes two rectangles. */
export function boxRectangles(box: BoxValue): Rectangle[] {
  const spans =
    box.west > box.east
      ? [[box.west, 180] as const, [-180, box.east] as const]
      : [[box.west, box.east] as const];
  const height = Math.max(box.north - box.south, LEAST_SIDE);
  const y = Math.min(Math.max(-(box.north + box.south) / 2 - height / 2, -90), 90 - height);
  return spans.map(([west, east]) => {
    const width = Math.max(east - west, LEAST_SIDE);
    const x = Math.min(Math.max((west + east) / 2 - width / 2, -180), 180 - width);
    return { x, y, width, height };
  });
}

/** At most this many boxes are drawn; some records carry thousands. */
const MOST_BOXES = 50;

export function renderMap(boxes: readonly BoxValue[], size: 'small' | 'large'): Html {
  const shown = boxes.slice(0, MOST_BOXES);
  const label = boxes.length === 1 && boxes[0] ? boxText(boxes[0]) : `${boxes.length} areas`;
  return html`<svg class="map map-${size}" viewBox="-180 -90 360 180" role="img" aria-label="Map: ${label}">
<use href="#world" x="-180" y="-90" width="360" height="180"/>
${shown.flatMap(boxRectangles).map(({ x, y, width, height }) => html`<rect class="area" x="${x}" y="${y}" width="${width}" height="${height}"/>`)}
</svg>`;
}
